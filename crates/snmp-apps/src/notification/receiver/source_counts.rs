//! Counts of refused or discarded notifications for each source.

use std::{collections::HashMap, net::IpAddr};

use portreeve_smi::TransportAddress;

/// The number of notifications for each source, for at most 1024 sources.
///
/// Sources of datagrams can be forged. Therefore the table is bounded, and the notifications of all
/// further sources are counted together.
#[derive(Clone, Debug, Default)]
pub struct SourceCounts {
    by_address: HashMap<IpAddr, u64>,
    others: u64,
}

impl SourceCounts {
    /// Counts one notification. An IPv4-mapped IPv6 address counts as IPv4.
    pub fn count(&mut self, source: TransportAddress) {
        let counter = match source {
            TransportAddress::Ip(address) => {
                let address = address.ip().to_canonical();
                if self.by_address.len() < MAX_SOURCES {
                    self.by_address.entry(address).or_default()
                } else {
                    self.by_address.get_mut(&address).unwrap_or(&mut self.others)
                }
            }
            TransportAddress::Local { .. } => &mut self.others,
        };
        *counter = counter.saturating_add(1);
    }

    /// Returns the sources and their counts, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (IpAddr, u64)> {
        self.by_address.iter().map(|(address, count)| (*address, *count))
    }

    /// Returns the number of notifications of local peers, and of the sources for which the table
    /// had no room.
    pub fn others(&self) -> u64 {
        self.others
    }
}

/// The maximum number of sources that are counted separately.
pub(super) const MAX_SOURCES: usize = 1024;
