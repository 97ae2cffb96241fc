//! Rights over NETCONF: built-in rules for the users to which the configuration gives read or write
//! access.
//!
//! ```text
//! tmSecurityName ─▶ VACM: views of (TSM, name) in the default context ─▶ Level ─┬─▶ operations
//! [netconf] recovery ───────────────────────────────────────────────────▶       └─▶ nodes
//! ```
//! | level | reads | writes |
//! |---|---|---|
//! | none | nothing | nothing |
//! | read | all but `default-deny-all` | nothing |
//! | write | all but `default-deny-all` | all but `default-deny-write` and `-all`, `/nacm`, `/snmp/vacm` and `/snmp/usm` |
//! | recovery | everything | everything |
//!
//! A view that contains less than everything cannot be translated to YANG nodes, so that it grants
//! nothing here. The standard view `restricted`, the default of read access, counts as everything:
//! what it excludes has `default-deny-all` in YANG.

mod audit;
mod nodes;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::Arc;

use portreeve_lcd::{Lcd, SubtreeCoverage, View};
use portreeve_netconf_message::rpc::OperationName;
use portreeve_smi::{SecurityLevel, SecurityModel};
use portreeve_snmp_engine::access::vacm::{Principal, ViewType, find_view};

pub use audit::{UserAccess, list_access};
pub(crate) use nodes::NodeRules;

/// The rights of a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// No rights. Only `close-session` is permitted.
    None,
    /// The user may read.
    Read,
    /// The user may read and write.
    Write,
    /// No rules apply.
    Recovery,
}

impl Level {
    /// Determines the rights of a user, whose name is the tmSecurityName of the session without a
    /// prefix.
    #[must_use]
    pub fn of(lcd: &Lcd, recovery: &BTreeSet<Arc<str>>, user: &str) -> Self {
        if recovery.contains(user) {
            return Self::Recovery;
        }
        let principal = Principal {
            security_model: SecurityModel::TSM,
            security_name: user.as_bytes(),
            security_level: SecurityLevel::AuthPriv,
        };
        let view_of = |view_type| find_view(lcd, &principal, view_type, DEFAULT_CONTEXT).ok();
        let (Some(read), write) = (view_of(ViewType::Read), view_of(ViewType::Write)) else {
            return Self::None;
        };
        match write {
            Some(write) if is_everything(read) && is_everything(write) => Self::Write,
            _ if is_everything(read) || is_restricted(lcd, read) => Self::Read,
            _ => Self::None,
        }
    }

    /// Returns true if a user with these rights may request an operation.
    #[must_use]
    pub fn may_execute(self, operation: OperationName) -> bool {
        let needed = match operation {
            OperationName::CloseSession => Self::None,
            OperationName::Get
            | OperationName::GetConfig
            | OperationName::GetSchema
            | OperationName::Validate => Self::Read,
            OperationName::EditConfig
            | OperationName::CopyConfig
            | OperationName::Lock
            | OperationName::Unlock
            | OperationName::Commit
            | OperationName::DiscardChanges => Self::Write,
            // These have `default-deny-all` in ietf-netconf.
            OperationName::DeleteConfig | OperationName::KillSession => Self::Recovery,
        };
        self >= needed
    }

    /// Returns true if a user with these rights may write something.
    #[must_use]
    pub fn may_write(self) -> bool {
        self >= Self::Write
    }

    /// Returns the word for logs and tables.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Read => "read",
            Self::Write => "write",
            Self::Recovery => "recovery",
        }
    }
}

/// Returns true if a view contains all objects of SNMP.
fn is_everything(view: &View) -> bool {
    view.classify_subtree(&INTERNET) == SubtreeCoverage::All
}

/// Returns true if a view is the standard view `restricted`, whose name no other view of the
/// configuration file can have.
fn is_restricted(lcd: &Lcd, view: &View) -> bool {
    lcd.view(b"restricted").is_some_and(|restricted| std::ptr::eq(restricted, view))
        && view.contains(&INTERNET)
}

const DEFAULT_CONTEXT: &[u8] = b"";

/// The subtree `internet`, which contains all objects.
const INTERNET: [u32; 4] = [1, 3, 6, 1];
