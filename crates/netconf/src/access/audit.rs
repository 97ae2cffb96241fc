//! The rights of all users, for reports.

use std::collections::BTreeSet;
use std::sync::Arc;

use portreeve_lcd::Lcd;
use portreeve_smi::SecurityModel;
use portreeve_yang::Schema;

use super::{Level, NodeRules};

/// The rights of one user over NETCONF.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserAccess {
    /// The tmSecurityName: the name of the SSH user.
    pub user: Arc<str>,
    /// The rights.
    pub level: Level,
    /// The schema paths that the user may not read, with everything below them.
    pub hidden: Vec<String>,
    /// The schema paths that the user may read, but not write, with everything below them.
    pub protected: Vec<String>,
}

/// Lists the rights of the recovery users and of all users that are in a group of the Transport
/// Security Model, by name. A user whose views contain less than everything has [`Level::None`].
#[must_use]
pub fn list_access(lcd: &Lcd, recovery: &BTreeSet<Arc<str>>, schema: &Schema) -> Vec<UserAccess> {
    let rules = NodeRules::new(schema);
    let paths = |is_hidden: bool| -> Vec<String> {
        let matching = rules.exceptions(schema).filter(|(_, hides)| *hides == is_hidden);
        matching.map(|(node, _)| schema.schema_path(node)).collect()
    };
    let (hidden, protected) = (paths(true), paths(false));
    let members = lcd.tables().groups.active().filter(|row| row.key.model == SecurityModel::TSM);
    let names = members.filter_map(|row| std::str::from_utf8(&row.key.security_name).ok().map(Arc::from));
    let users: BTreeSet<Arc<str>> = names.chain(recovery.iter().cloned()).collect();
    users
        .into_iter()
        .map(|user| {
            let level = Level::of(lcd, recovery, &user);
            let (hidden, protected) = match level {
                Level::None | Level::Recovery => (Vec::new(), Vec::new()),
                Level::Read => (hidden.clone(), Vec::new()),
                Level::Write => (hidden.clone(), protected.clone()),
            };
            UserAccess { user, level, hidden, protected }
        })
        .collect()
}
