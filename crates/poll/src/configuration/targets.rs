//! `[poll]` and `[targets.NAME]`: the agents, their objects and the intervals.

use std::{collections::HashSet, sync::Arc, time::Duration};

use portreeve_config::{Reader, document::Document};
use portreeve_snmp_manager::{PeerAddress, Transport};

use super::{Definitions, look_up, reject_value, sections::TARGETS};
use crate::{ObjectGroup, Target};

/// The numbers that `[poll]` sets for all targets. Each target can override them.
pub(super) struct Timing {
    interval: Duration,
    timeout: Duration,
    window: u32,
    pace: Duration,
    variables: u32,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            interval: Duration::from_secs(60),
            timeout: Duration::from_secs(5),
            window: 2,
            pace: Duration::ZERO,
            variables: 50,
        }
    }
}

impl Timing {
    pub(super) fn read(reader: &mut Reader<'_, '_>) -> Self {
        Self::default().with(reader)
    }

    fn with(&self, reader: &mut Reader<'_, '_>) -> Self {
        let millis = |number: u32| Duration::from_millis(number.into());
        Self {
            interval: reader.number("interval").map_or(self.interval, |n| Duration::from_secs(n.into())),
            timeout: reader.number("timeout-ms").map_or(self.timeout, millis),
            window: reader.number("window").unwrap_or(self.window),
            pace: reader.number("pace-ms").map_or(self.pace, millis),
            variables: reader.number("variables").unwrap_or(self.variables),
        }
    }
}

pub(super) fn read(
    document: &mut Document<'_, '_>,
    defaults: &Timing,
    definitions: &Definitions,
) -> Vec<Target> {
    // Targets with the same objects share one group.
    let mut groups: HashSet<Arc<ObjectGroup>> = HashSet::new();
    let found = document.read_named_tables("targets", &TARGETS, |name, reader| {
        let mut target = read_target(&name.value, reader, defaults, definitions)?;
        match groups.get(&target.group) {
            Some(group) => target.group = Arc::clone(group),
            None => drop(groups.insert(Arc::clone(&target.group))),
        }
        Some(target)
    });
    found.into_iter().flatten().collect()
}

fn read_target(
    name: &str,
    reader: &mut Reader<'_, '_>,
    defaults: &Timing,
    definitions: &Definitions,
) -> Option<Target> {
    let timing = defaults.with(reader);
    let address = read_address(reader);
    let credential = reader.text("credentials");
    let credential = reader.require("credentials", credential);
    let credential =
        credential.and_then(|name| look_up(reader.problems, "credentials", &name, &definitions.credentials));
    let lists = reader.list("objects");
    let lists = reader.require("objects", lists).unwrap_or_default();
    let mut group = ObjectGroup::default();
    for list in &lists {
        if let Some(list) = look_up(reader.problems, "objects", list, &definitions.objects) {
            group.merge(list);
        }
    }
    let context = reader.text("context");
    if let Some(context) = context.as_ref().filter(|context| context.value.len() > 255) {
        reject_value(reader.problems, &TARGETS, "context", context, "too long");
    }
    Some(Target {
        name: name.into(),
        address: address?,
        credential: Arc::clone(credential?.as_ref()?),
        group: group.into(),
        interval: timing.interval,
        timeout: timing.timeout,
        window: usize::try_from(timing.window).unwrap_or(1),
        pace: timing.pace,
        variables: usize::try_from(timing.variables).unwrap_or(1),
        context: context.map(|context| context.value.into_bytes()).unwrap_or_default(),
    })
}

fn read_address(reader: &mut Reader<'_, '_>) -> Option<PeerAddress> {
    let written = reader.text("address");
    let written = reader.require("address", written)?;
    match written.value.parse::<PeerAddress>() {
        Ok(address) if address.transport == Transport::Udp => return Some(address),
        Ok(_) => reject_value(reader.problems, &TARGETS, "address", &written, "the poller supports UDP only"),
        Err(error) => reject_value(reader.problems, &TARGETS, "address", &written, &error.to_string()),
    }
    None
}
