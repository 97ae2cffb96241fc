//! The rights of users over NETCONF. They do not depend on the modules that are served.

use portreeve_netconf::access::{Level, list_access};
use portreeve_yang::Schema;

use super::{AuditInput, display_escaped};
use crate::yang_modules;

/// The rights of one user over NETCONF.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NetconfUser {
    pub(crate) name: String,
    /// The name of the rights: `none`, `read`, `write` or `recovery`.
    pub(crate) access: &'static str,
    /// A description of the rights.
    pub(crate) description: &'static str,
    pub(crate) is_recovery: bool,
}

/// Returns the rights of all users, by name; `None` if NETCONF is not offered.
pub(super) fn all(input: &AuditInput<'_>) -> Option<Vec<NetconfUser>> {
    input.config.netconf.as_ref()?;
    let users = list_access(input.lcd, &yang_modules::recovery_users(input.config), &Schema::default());
    let user = |access: portreeve_netconf::access::UserAccess| NetconfUser {
        name: display_escaped(access.user.as_bytes()),
        access: access.level.as_str(),
        description: describe(access.level),
        is_recovery: access.level == Level::Recovery,
    };
    Some(users.into_iter().map(user).collect())
}

fn describe(level: Level) -> &'static str {
    match level {
        Level::None => "nothing: the views contain less than all objects",
        Level::Read => "reads all data except secrets",
        Level::Write => "reads all data except secrets, and writes all data except protected data",
        Level::Recovery => "reads and writes all data, including secrets and access rights",
    }
}
