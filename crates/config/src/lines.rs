//! Line numbers of sections, for errors and warnings after the file has been loaded.

use crate::{
    problem::Problems,
    raw::{Raw, RawTlsName},
};

/// The line numbers of sections, counted from 1, in file order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConfigLines {
    /// The lines of the `[[listen]]` sections, except listeners behind sshd. Empty if the file
    /// contains none, so that the default listeners apply.
    pub listeners: Vec<usize>,
    /// The lines of the `[[community]]` sections. The first section creates the row with
    /// snmpCommunityIndex `community-1`, the second `community-2`, and so on.
    pub communities: Vec<usize>,
    /// The name and the line of each `[[user]]` section.
    pub users: Vec<(String, usize)>,
    /// The name and the line of each `[[session-user]]` section.
    pub session_users: Vec<(String, usize)>,
    /// The name and the line of each `[[group]]` section.
    pub groups: Vec<(String, usize)>,
    /// The priority and the line of each `[[tls.name]]` section.
    pub tls_names: Vec<(u32, usize)>,
    /// The name and the line of each `[[notify]]` section.
    pub notify: Vec<(String, usize)>,
    /// The line of the section `[tls]`; 0 if there is none.
    pub tls: usize,
}

impl ConfigLines {
    pub(crate) fn of(raw: &Raw, problems: &Problems) -> Self {
        let line = |position| problems.line(position);
        let named = |name: &Option<crate::Located<String>>, position| {
            name.as_ref().map(|name| (name.value.clone(), line(position)))
        };
        Self {
            listeners: raw
                .listen
                .iter()
                .filter(|listen| !listen.is_behind_sshd())
                .map(|listen| line(listen.position))
                .collect(),
            communities: raw.communities.iter().map(|community| line(community.position)).collect(),
            users: raw.users.iter().filter_map(|user| named(&user.name, user.position)).collect(),
            session_users: raw
                .session_users
                .iter()
                .filter_map(|user| named(&user.name, user.position))
                .collect(),
            groups: raw.groups.iter().filter_map(|group| named(&group.name, group.position)).collect(),
            notify: raw.notify.iter().filter_map(|target| named(&target.name, target.position)).collect(),
            tls_names: RawTlsName::by_priority(&raw.tls_names)
                .map(|(priority, name)| (priority, line(name.position)))
                .collect(),
            tls: raw.tls.position.map_or(0, line),
        }
    }

    /// Returns the line of the entry with this name.
    pub fn find_line(list: &[(String, usize)], name: &[u8]) -> Option<usize> {
        list.iter().find(|(known, _)| known.as_bytes() == name).map(|(_, line)| *line)
    }
}
