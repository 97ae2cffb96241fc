//! What is to be polled. Everything in a plan is valid; names are resolved to identifiers, hosts not yet to addresses.

use std::{
    collections::BTreeMap,
    net::{IpAddr, SocketAddr},
    sync::{Arc, OnceLock},
    time::Duration,
};

use portreeve_crypto::{AuthProtocol, PasswordTooShortError, PrivProtocol};
use portreeve_secret::Secret;
use portreeve_smi::Oid;
use portreeve_snmp_manager::{Credentials, PeerAddress, UsmUser};

/// What a file says.
#[derive(Clone, Default)]
pub struct PollPlan {
    /// In the order of their names.
    pub targets: Vec<Target>,
    /// All credentials by their names, whether targets have them or not.
    pub credentials: BTreeMap<String, Arc<Credential>>,
    /// All groups of objects by their names.
    pub groups: BTreeMap<String, Arc<ObjectGroup>>,
    /// How results are shown over HTTP, if they are.
    pub prometheus: Option<PrometheusConfig>,
}

/// What is asked for together: `[objects.NAME]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ObjectGroup {
    /// Instances to read.
    pub get: Vec<Oid>,
    /// Subtrees to read whole.
    pub walk: Vec<Oid>,
    /// Columns that label the others of their rows.
    pub labels: Vec<Oid>,
}

/// The HTTP endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrometheusConfig {
    /// Where it listens.
    pub listen: SocketAddr,
    /// Where agents may be that are no configured targets.
    pub targets: Vec<Network>,
    /// Names of credentials that may be used for targets that do not have them.
    pub credentials: Vec<String>,
}

/// Addresses that begin alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    /// Any address of it.
    pub address: IpAddr,
    /// How many bits are alike, at most 32 or 128.
    pub prefix: u32,
}

/// One agent, as whom to ask it, for what and how often.
#[derive(Clone, PartialEq)]
pub struct Target {
    /// What results call it.
    pub name: Arc<str>,
    /// Where it is; UDP.
    pub address: PeerAddress,
    /// As whom it is asked.
    pub credential: Arc<Credential>,
    /// What it is asked for.
    pub group: Arc<ObjectGroup>,
    /// From one poll to the next.
    pub interval: Duration,
    /// After how long without an answer a request is given up.
    pub timeout: Duration,
    /// How many requests may be on their way to it at once, at least one.
    pub window: usize,
    /// The least time between two messages to it.
    pub pace: Duration,
    /// How many variables are asked for with one message, at least one.
    pub variables: usize,
    /// The context asked about (SNMPv3).
    pub context: Vec<u8>,
}

/// As whom agents are asked.
#[derive(PartialEq, Eq)]
pub enum Credential {
    /// SNMPv1 with a community, in clear.
    V1(Secret),
    /// SNMPv2c with a community, in clear.
    V2c(Secret),
    /// SNMPv3.
    V3(User),
}

/// A user of USM. Privacy never stands without authentication.
pub struct User {
    /// usmUserName.
    pub name: Vec<u8>,
    /// How it signs, and with what pass phrase.
    pub auth: Option<(AuthProtocol, Secret)>,
    /// How it encrypts, and with what pass phrase.
    pub privacy: Option<(PrivProtocol, Secret)>,
    /// The same for sessions; the keys are made once for all of them.
    pub shared: OnceLock<UsmUser>,
}

/// Two users are the same if the file says the same of them.
impl PartialEq for User {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.auth == other.auth && self.privacy == other.privacy
    }
}

impl Eq for User {}

impl Network {
    /// Whether `address` is one of its. An IPv4 address in IPv6's clothes is an IPv4 address.
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                (own.to_bits() ^ other.to_bits()).leading_zeros() >= self.prefix
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                (own.to_bits() ^ other.to_bits()).leading_zeros() >= self.prefix
            }
            _ => false,
        }
    }
}

impl ObjectGroup {
    /// Takes in what `other` has more.
    pub fn merge(&mut self, other: &Self) {
        for (own, others) in
            [(&mut self.get, &other.get), (&mut self.walk, &other.walk), (&mut self.labels, &other.labels)]
        {
            for object in others {
                if !own.contains(object) {
                    own.push(object.clone());
                }
            }
        }
    }
}

impl Credential {
    /// What a session is made with. Keys are made when the first session needs them, for all that come from here.
    ///
    /// # Errors
    /// For a pass phrase of fewer than eight octets.
    pub fn to_credentials(&self) -> Result<Credentials, PasswordTooShortError> {
        Ok(match self {
            Self::V1(community) => Credentials::V1(community.duplicate()),
            Self::V2c(community) => Credentials::V2c(community.duplicate()),
            Self::V3(user) => Credentials::V3(match user.shared.get() {
                Some(shared) => shared.duplicate(),
                None => {
                    let made = user.to_credentials()?;
                    user.shared.get_or_init(|| made).duplicate()
                }
            }),
        })
    }
}

impl User {
    fn to_credentials(&self) -> Result<UsmUser, PasswordTooShortError> {
        match (&self.auth, &self.privacy) {
            (None, _) => Ok(UsmUser::unauthenticated(&self.name)),
            (Some((auth, phrase)), None) => UsmUser::with_auth(&self.name, *auth, phrase),
            (Some((auth, phrase)), Some((privacy, second))) => {
                UsmUser::with_privacy(&self.name, (*auth, phrase), (*privacy, second))
            }
        }
    }
}
