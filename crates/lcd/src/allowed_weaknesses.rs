//! The weak protocols and security levels that rows created by SET may use.

use portreeve_smi::{SecurityLevel, SecurityModel};

use crate::{AccessRow, CertToNameRow, CommunityRow};

/// The weak protocols and security levels that the configuration file allows. A row that was
/// created by SET has no effect if it requires a weakness that is not allowed. Rows of the file are
/// not checked here; they were checked when the file was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AllowedWeaknesses {
    /// Allows SNMPv1 and SNMPv2c with communities.
    pub communities: bool,
    /// Allows USM users without authentication.
    pub no_auth_no_priv: bool,
    /// Allows HMAC-MD5.
    pub md5: bool,
    /// Allows HMAC-SHA-1, and SHA-1 fingerprints of certificates.
    pub sha: bool,
    /// Allows DES.
    pub des: bool,
    /// Allows Triple DES.
    pub triple_des: bool,
}

impl AllowedWeaknesses {
    /// Allows every weakness.
    pub const ALL: Self =
        Self { communities: true, no_auth_no_priv: true, md5: true, sha: true, des: true, triple_des: true };

    /// Returns whether messages with the community of this row are accepted.
    pub fn allow_community(&self, row: &CommunityRow) -> bool {
        self.communities || !row.is_writable()
    }

    /// Returns whether this access right applies to a message of the given model and level.
    ///
    /// Only USM users without authentication are weak: communities have their own setting, and the
    /// peer of a session is authenticated by its transport.
    pub fn allow_access(&self, row: &AccessRow, model: SecurityModel, level: SecurityLevel) -> bool {
        let is_weak = model == SecurityModel::USM && !level.is_authenticated();
        !is_weak || self.no_auth_no_priv || !row.is_writable()
    }

    /// Returns whether this rule may map certificates to names.
    pub fn allow_certificate_rule(&self, row: &CertToNameRow) -> bool {
        let is_weak = row.fingerprint.first() == Some(&SHA_1);
        !is_weak || self.sha || !row.is_writable()
    }
}

/// The octet that stands for SHA-1 at the start of a fingerprint (RFC 5246 §7.4.1.4.1).
const SHA_1: u8 = 2;

#[cfg(test)]
mod tests;
