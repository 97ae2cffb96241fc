//! Links defined by a test.

use std::{
    io,
    sync::{Arc, Mutex},
};

use super::{Counters, Link, LinkSource, Links, OperStatus};

/// A source of the links that the test has set; `None` simulates a machine that cannot be read.
#[derive(Clone)]
pub(crate) struct ScriptedLinks(pub(crate) Arc<Mutex<Option<Vec<Link>>>>);

impl ScriptedLinks {
    pub(crate) fn new(links: Vec<Link>) -> Self {
        Self(Arc::new(Mutex::new(Some(links))))
    }

    pub(crate) fn set(&self, links: Option<Vec<Link>>) {
        *self.0.lock().unwrap() = links;
    }
}

impl LinkSource for ScriptedLinks {
    fn read(&mut self, links: &mut Links<'_>) -> io::Result<()> {
        let script = self.0.lock().unwrap();
        for link in script.as_ref().ok_or_else(|| io::Error::other("scripted failure"))? {
            links.next_free().clone_from(link);
        }
        Ok(())
    }
}

/// Returns an Ethernet interface that is up.
pub(crate) fn ethernet(index: u32) -> Link {
    Link {
        index,
        hardware: 1,
        name: format!("eth{index}").into_bytes(),
        address: vec![2, 0, 0, 0, 0, 1],
        mtu: 1500,
        admin_up: true,
        status: OperStatus::Up,
        speed: 10_000_000_000,
        counters: Counters {
            in_octets: (1 << 32) + 7,
            in_packets: 10,
            in_multicast: 3,
            ..Counters::default()
        },
        ..Link::default()
    }
}
