//! Identities (RFC 7950 §7.18).

use crate::{IdentityId, ModuleId, Status};

/// An identity (RFC 7950 §7.18).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The name, without a prefix.
    pub name: Box<str>,
    /// The module that defines it.
    pub module: ModuleId,
    /// The identities that it is directly derived from.
    pub bases: Vec<IdentityId>,
    /// The status.
    pub status: Status,
}
