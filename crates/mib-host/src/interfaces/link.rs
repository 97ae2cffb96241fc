//! The kernel's data about one interface.

use crate::netlink::{Attributes, u16_at, u32_at, u64_at};

/// One interface, as an RTM_NEWLINK message describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// The kernel's interface index, from 1.
    pub index: u32,
    /// The hardware type: an `ARPHRD_…` constant.
    pub hardware: u16,
    /// The type of a software interface; [`LinkKind::Other`] for all other interfaces.
    pub kind: LinkKind,
    /// The interface name, such as `eth0`.
    pub name: Vec<u8>,
    /// The alias set by an administrator. It is often empty.
    pub alias: Vec<u8>,
    /// The hardware address; empty if the interface has none.
    pub address: Vec<u8>,
    /// The MTU of the interface in octets.
    pub mtu: u32,
    /// True if an administrator has enabled the interface.
    pub admin_up: bool,
    /// The operational state of the interface.
    pub status: OperStatus,
    /// The number of times that the carrier was lost or recovered.
    pub carrier_changes: u32,
    /// True if the interface is in promiscuous mode.
    pub promiscuous: bool,
    /// True if the interface belongs to a hardware device.
    pub device: bool,
    /// The index of the bridge or bond of which this interface is a port.
    pub master: Option<u32>,
    /// The index of the underlying interface, if it is in this network namespace. For one end of a
    /// pair, it is the index of the other end.
    pub lower: Option<u32>,
    /// The speed in bits per second; 0 if it is unknown or not applicable.
    pub speed: u64,
    /// The traffic counters of the interface.
    pub counters: Counters,
}

impl Link {
    /// Replaces all fields with those of the message. Missing attributes leave their fields empty.
    ///
    /// Returns `None` if the message is too short.
    pub(super) fn read(&mut self, message: &[u8]) -> Option<()> {
        self.clear();
        self.hardware = u16_at(message, 2)?;
        self.index = u32_at(message, 4)?;
        let flags = u32_at(message, 8)?;
        self.admin_up = flags & IFF_UP != 0;

        let mut state = OPERSTATE_UNKNOWN;
        let mut other_namespace = false;
        for (kind, content) in Attributes(message.get(LINK_HEADER..)?) {
            match kind {
                IFLA_IFNAME => self.name.extend(text(content)),
                IFLA_IFALIAS => self.alias.extend(text(content)),
                IFLA_ADDRESS => self.address.extend(content),
                IFLA_MTU => self.mtu = u32_at(content, 0)?,
                IFLA_MASTER => self.master = u32_at(content, 0),
                IFLA_LINK => self.lower = u32_at(content, 0).filter(|&lower| lower != 0),
                IFLA_LINK_NETNSID => other_namespace = true,
                IFLA_OPERSTATE => state = content.first().copied()?,
                IFLA_CARRIER_CHANGES => self.carrier_changes = u32_at(content, 0)?,
                IFLA_PROMISCUITY => self.promiscuous = u32_at(content, 0)? > 0,
                IFLA_PARENT_DEV_NAME => self.device = true,
                IFLA_LINKINFO => self.kind = LinkKind::read(content),
                IFLA_STATS64 => self.counters = Counters::read(content),
                _ => {}
            }
        }
        if other_namespace || self.lower == Some(self.index) {
            self.lower = None;
        }
        self.status = OperStatus::from_kernel(state, flags);
        Some(())
    }

    /// Clears all fields but keeps their memory.
    fn clear(&mut self) {
        let [mut name, mut alias, mut address] =
            [&mut self.name, &mut self.alias, &mut self.address].map(std::mem::take);
        name.clear();
        alias.clear();
        address.clear();
        *self = Self { name, alias, address, ..Self::default() };
    }
}

/// The types of software interfaces that this program treats differently.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the kernel's")]
pub enum LinkKind {
    #[default]
    Other,
    Vlan,
    Bridge,
    /// Several interfaces that act as one: bond and team.
    Aggregate,
    /// Layer 2 over IP: vxlan, geneve, gretap and similar.
    Overlay,
    /// One end of a pair; its `IFLA_LINK` is the other end, not an underlying interface.
    Pair,
}

impl LinkKind {
    fn read(info: &[u8]) -> Self {
        let kind = Attributes(info).find(|(kind, _)| *kind == IFLA_INFO_KIND);
        match kind.map(|(_, content)| text(content)).unwrap_or_default() {
            b"vlan" => Self::Vlan,
            b"bridge" => Self::Bridge,
            b"bond" | b"team" => Self::Aggregate,
            b"vxlan" | b"geneve" | b"gretap" | b"ip6gretap" | b"erspan" | b"ip6erspan" => Self::Overlay,
            b"veth" | b"netkit" | b"vxcan" => Self::Pair,
            _ => Self::Other,
        }
    }
}

/// The operational state, as defined for ifOperStatus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are RFC 2863's")]
pub enum OperStatus {
    Up = 1,
    Down = 2,
    Testing = 3,
    #[default]
    Unknown = 4,
    Dormant = 5,
    NotPresent = 6,
    LowerLayerDown = 7,
}

impl OperStatus {
    /// Converts `state`, the kernel's RFC 2863 state. If a driver leaves it unknown, the status is
    /// derived from the flags.
    fn from_kernel(state: u8, flags: u32) -> Self {
        match state {
            OPERSTATE_UNKNOWN if flags & IFF_RUNNING != 0 => Self::Up,
            OPERSTATE_UNKNOWN if flags & IFF_UP == 0 => Self::Down,
            1 => Self::NotPresent,
            2 => Self::Down,
            3 => Self::LowerLayerDown,
            4 => Self::Testing,
            5 => Self::Dormant,
            6 => Self::Up,
            _ => Self::Unknown,
        }
    }
}

/// The traffic counters of an interface since its creation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub struct Counters {
    pub in_packets: u64,
    pub out_packets: u64,
    pub in_octets: u64,
    pub out_octets: u64,
    pub in_errors: u64,
    pub out_errors: u64,
    pub in_discards: u64,
    pub out_discards: u64,
    /// The received packets that were sent to a multicast group.
    pub in_multicast: u64,
    pub in_unknown_protocols: u64,
}

impl Counters {
    /// Parses `struct rtnl_link_stats64`. Fields that an older kernel lacks are 0.
    fn read(stats: &[u8]) -> Self {
        let nth = |position: usize| u64_at(stats, position * 8).unwrap_or(0);
        Self {
            in_packets: nth(0),
            out_packets: nth(1),
            in_octets: nth(2),
            out_octets: nth(3),
            in_errors: nth(4),
            out_errors: nth(5),
            in_discards: nth(6),
            out_discards: nth(7),
            in_multicast: nth(8),
            in_unknown_protocols: nth(23),
        }
    }

    /// Returns the number of received packets that are not known to be multicast.
    pub fn in_unicast(&self) -> u64 {
        self.in_packets.saturating_sub(self.in_multicast)
    }

    /// Returns true if a counter is lower than in `earlier`. Then the counters have restarted
    /// since.
    pub(super) fn has_reset_since(&self, earlier: &Self) -> bool {
        self.in_octets < earlier.in_octets
            || self.out_octets < earlier.out_octets
            || self.in_packets < earlier.in_packets
            || self.out_packets < earlier.out_packets
    }
}

/// Removes the terminating zero of a string.
fn text(content: &[u8]) -> &[u8] {
    content.split(|&octet| octet == 0).next().unwrap_or_default()
}

/// The size of `struct ifinfomsg` in bytes.
const LINK_HEADER: usize = 16;

const IFF_UP: u32 = 0x1;
const IFF_RUNNING: u32 = 0x40;
const OPERSTATE_UNKNOWN: u8 = 0;

const IFLA_ADDRESS: u16 = 1;
const IFLA_IFNAME: u16 = 3;
const IFLA_MTU: u16 = 4;
const IFLA_LINK: u16 = 5;
const IFLA_MASTER: u16 = 10;
const IFLA_OPERSTATE: u16 = 16;
const IFLA_LINKINFO: u16 = 18;
const IFLA_INFO_KIND: u16 = 1;
const IFLA_IFALIAS: u16 = 20;
const IFLA_STATS64: u16 = 23;
const IFLA_PROMISCUITY: u16 = 30;
const IFLA_CARRIER_CHANGES: u16 = 35;
const IFLA_LINK_NETNSID: u16 = 37;
const IFLA_PARENT_DEV_NAME: u16 = 56;

#[cfg(test)]
mod tests;
