//! The validated plan of a poller. Object names are resolved to identifiers; host names are not
//! resolved yet.

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

/// The content of a configuration file.
#[derive(Clone, Default)]
pub struct PollPlan {
    /// The targets, sorted by name.
    pub targets: Vec<Target>,
    /// All credentials by name, including those that no target uses.
    pub credentials: BTreeMap<String, Arc<Credential>>,
    /// All groups of objects by name.
    pub groups: BTreeMap<String, Arc<ObjectGroup>>,
    /// The HTTP endpoint, if the file contains `[prometheus]`.
    pub prometheus: Option<PrometheusConfig>,
}

/// Objects that are read together: `[objects.NAME]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ObjectGroup {
    /// The instances that are read in every poll.
    pub get: Vec<Oid>,
    /// The subtrees that are walked in every poll.
    pub walk: Vec<Oid>,
    /// Columns whose values become labels of the other metrics in the same row.
    pub labels: Vec<Oid>,
}

/// The configuration of the HTTP endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrometheusConfig {
    /// The address to listen on.
    pub listen: SocketAddr,
    /// Networks of agents that may be scraped in addition to the configured targets.
    pub targets: Vec<Network>,
    /// Names of credentials that scrapes may use for any allowed target, even if no target or a
    /// different target is configured with them.
    pub credentials: Vec<String>,
    /// Host names by which HTTP clients may address this endpoint. IP addresses are always allowed.
    pub hosts: Vec<String>,
}

/// A network, given by an address and a prefix length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    /// An address of the network; the bits after the prefix are ignored.
    pub address: IpAddr,
    /// The length of the prefix in bits, at most 32 or 128.
    pub prefix: u32,
}

/// One agent with its credentials, objects and interval.
#[derive(Clone, PartialEq)]
pub struct Target {
    /// The target's name in results.
    pub name: Arc<str>,
    /// The agent's address; its transport is always UDP.
    pub address: PeerAddress,
    /// The credentials for requests to the agent.
    pub credential: Arc<Credential>,
    /// The objects to read from the agent.
    pub group: Arc<ObjectGroup>,
    /// The time between two polls of the agent.
    pub interval: Duration,
    /// The time after which a request fails.
    pub timeout: Duration,
    /// The maximum number of outstanding requests, at least one.
    pub window: usize,
    /// The minimum time between two messages to the target.
    pub pace: Duration,
    /// The maximum number of variables per message, at least one.
    pub variables: usize,
    /// The context name of SNMPv3 requests.
    pub context: Vec<u8>,
}

/// The credentials with which requests are sent.
#[derive(PartialEq, Eq)]
pub enum Credential {
    /// SNMPv1 with a community, in cleartext.
    V1(Secret),
    /// SNMPv2c with a community, in cleartext.
    V2c(Secret),
    /// SNMPv3 with a user.
    V3(User),
}

/// A USM user. Privacy requires authentication.
pub struct User {
    /// The user's name, as in usmUserName.
    pub name: Vec<u8>,
    /// The authentication protocol and its pass phrase.
    pub auth: Option<(AuthProtocol, Secret)>,
    /// The privacy protocol and its pass phrase.
    pub privacy: Option<(PrivProtocol, Secret)>,
    /// The user with derived keys, which all sessions share.
    pub shared: OnceLock<UsmUser>,
}

/// Users are equal if their configuration is equal.
impl PartialEq for User {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.auth == other.auth && self.privacy == other.privacy
    }
}

impl Eq for User {}

impl Network {
    /// Returns true if `address` is in the network. IPv4-mapped IPv6 addresses count as IPv4.
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
    /// Adds those objects of `other` that this group does not contain.
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
    /// Returns the credentials for a session. The first session that needs keys derives them for
    /// all.
    ///
    /// # Errors
    /// A pass phrase has fewer than eight octets.
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
