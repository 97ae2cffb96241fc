//! What is to be polled. Everything in a plan is valid; names are resolved to identifiers, hosts not yet to addresses.

use std::{sync::Arc, time::Duration};

use portreeve_crypto::{AuthProtocol, PasswordTooShort, PrivProtocol};
use portreeve_manager::{Credentials, PeerAddress, UsmUser};
use portreeve_secret::Secret;
use portreeve_smi::Oid;

/// Every target of a file.
#[derive(Default)]
pub struct Plan {
    /// In the order of their names.
    pub targets: Vec<Target>,
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
    /// The instances asked for, in order.
    pub objects: Arc<[Oid]>,
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
#[derive(PartialEq, Eq)]
pub struct User {
    /// usmUserName.
    pub name: Vec<u8>,
    /// How it signs, and with what pass phrase.
    pub auth: Option<(AuthProtocol, Secret)>,
    /// How it encrypts, and with what pass phrase.
    pub privacy: Option<(PrivProtocol, Secret)>,
}

impl Credential {
    /// What a session is made with. For a user with a pass phrase this hashes a mebibyte or two.
    ///
    /// # Errors
    /// For a pass phrase of fewer than eight octets.
    pub fn unlock(&self) -> Result<Credentials, PasswordTooShort> {
        Ok(match self {
            Self::V1(community) => Credentials::V1(community.duplicate()),
            Self::V2c(community) => Credentials::V2c(community.duplicate()),
            Self::V3(User { name, auth: None, .. }) => Credentials::V3(UsmUser::unauthenticated(name)),
            Self::V3(User { name, auth: Some((auth, phrase)), privacy: None }) => {
                Credentials::V3(UsmUser::with_auth(name, *auth, phrase)?)
            }
            Self::V3(User { name, auth: Some((auth, phrase)), privacy: Some((privacy, second)) }) => {
                Credentials::V3(UsmUser::with_privacy(name, (*auth, phrase), (*privacy, second))?)
            }
        })
    }
}
