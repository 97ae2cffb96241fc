//! Detects changes of ifOperStatus in messages about links.

use std::collections::{BTreeMap, BTreeSet};

use portreeve_mib::{
    Object,
    modules::if_mib::{IF_ADMIN_STATUS, IF_INDEX, IF_OPER_STATUS, LINK_DOWN, LINK_UP},
};
use portreeve_smi::Timestamp;

use super::{Link, LinkKind, OperStatus};

/// One change of ifOperStatus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkChange {
    /// The ifIndex of the interface.
    pub if_index: u32,
    /// True if ifAdminStatus is up.
    pub admin_up: bool,
    /// The previous ifOperStatus; `NotPresent` if the interface has just appeared.
    pub previous: OperStatus,
    /// The new ifOperStatus; `NotPresent` if the interface has been removed.
    pub status: OperStatus,
    /// The default of ifLinkUpDownTrapEnable: true if the interface is not stacked above another.
    pub is_notified: bool,
    /// The interface name.
    pub name: Vec<u8>,
    /// The alias set by an administrator.
    pub alias: Vec<u8>,
    /// The time when the change was received.
    pub time: Timestamp,
}

impl LinkChange {
    /// Returns the notification that IF-MIB (RFC 2863 §6) defines for this change: linkDown if the
    /// status becomes down, linkUp if it was down. A change from or to notPresent causes none.
    ///
    /// lowerLayerDown is not down. An interface that loses its lower layer causes no linkDown;
    /// the lower layer causes one. The caller also checks [`LinkChange::is_notified`].
    pub fn notification(&self) -> Option<&'static Object> {
        match (self.previous, self.status) {
            (OperStatus::NotPresent, _) | (_, OperStatus::NotPresent) => None,
            (OperStatus::Down, OperStatus::Down) => None,
            (_, OperStatus::Down) => Some(&LINK_DOWN),
            (OperStatus::Down, _) => Some(&LINK_UP),
            _ => None,
        }
    }

    /// Returns the columns of the notification and their values, in the order of its OBJECTS. The
    /// instance of each column is [`LinkChange::if_index`].
    ///
    /// ifOperStatus is the new status, as a GET returns it (docs/decisions/link-down-status.md).
    pub fn variables(&self) -> [(&'static Object, i32); 3] {
        [
            (&IF_INDEX, i32::try_from(self.if_index).unwrap_or(i32::MAX)),
            (&IF_ADMIN_STATUS, if self.admin_up { 1 } else { 2 }),
            (&IF_OPER_STATUS, self.status as i32),
        ]
    }
}

/// The last known status of each link.
///
/// An interface that appears changes from notPresent to its status. An interface that is removed
/// changes to notPresent.
#[derive(Debug, Default)]
pub struct LinkChanges {
    links: BTreeMap<u32, Link>,
}

impl LinkChanges {
    /// Creates the state from all links. Reports nothing for them.
    pub fn new(links: impl IntoIterator<Item = Link>) -> Self {
        Self { links: links.into_iter().map(|link| (link.index, link)).collect() }
    }

    /// Processes one netlink message. Other messages, and those that are too short, change nothing.
    pub fn process(&mut self, kind: u16, payload: &[u8], time: Timestamp) -> Option<LinkChange> {
        // Messages of other address families describe bridge ports and IPv6 settings. In
        // particular, an AF_BRIDGE RTM_DELLINK removes a port from a bridge, not the interface.
        if payload.first() != Some(&AF_UNSPEC) {
            return None;
        }
        let mut link = Link::default();
        link.read(payload)?;
        match kind {
            RTM_NEWLINK => self.update(link, time),
            RTM_DELLINK => self.remove(link.index, time),
            _ => None,
        }
    }

    /// Replaces all links, after messages were lost, and returns the differences. If `links` is not
    /// complete, the missing links are kept.
    pub fn replace(&mut self, links: Vec<Link>, complete: bool, time: Timestamp) -> Vec<LinkChange> {
        let present: BTreeSet<u32> = links.iter().map(|link| link.index).collect();
        let mut gone: Vec<u32> = self.links.keys().copied().collect();
        gone.retain(|index| complete && !present.contains(index));
        let mut changes: Vec<_> = gone.into_iter().filter_map(|index| self.remove(index, time)).collect();
        changes.extend(links.into_iter().filter_map(|link| self.update(link, time)));
        changes
    }

    fn update(&mut self, link: Link, time: Timestamp) -> Option<LinkChange> {
        let (index, status) = (link.index, link.status);
        let previous = self.links.insert(index, link).map_or(OperStatus::NotPresent, |link| link.status);
        let link = self.links.get(&index)?;
        (previous != status).then(|| self.change(link, previous, status, time))
    }

    fn remove(&mut self, index: u32, time: Timestamp) -> Option<LinkChange> {
        let link = self.links.remove(&index)?;
        let is_change = link.status != OperStatus::NotPresent;
        is_change.then(|| self.change(&link, link.status, OperStatus::NotPresent, time))
    }

    fn change(&self, link: &Link, previous: OperStatus, status: OperStatus, time: Timestamp) -> LinkChange {
        LinkChange {
            if_index: link.index,
            admin_up: link.admin_up,
            previous,
            status,
            is_notified: !self.has_lower(link),
            name: link.name.clone(),
            alias: link.alias.clone(),
            time,
        }
    }

    /// Returns true if the link is stacked above another one, as in ifStackTable.
    fn has_lower(&self, link: &Link) -> bool {
        let lower = link.lower.filter(|_| link.kind != LinkKind::Pair);
        lower.is_some_and(|lower| self.links.contains_key(&lower))
            || self.links.values().any(|port| port.master == Some(link.index))
    }
}

const AF_UNSPEC: u8 = 0;
const RTM_NEWLINK: u16 = 16;
const RTM_DELLINK: u16 = 17;

#[cfg(test)]
mod tests;
