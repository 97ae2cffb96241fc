//! The rows of the socket tables, from lines of `/proc/net/tcp`, `/proc/net/udp` and their IPv6
//! counterparts.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use portreeve_smi::Value::{self, Gauge32, Integer, IpAddress};

use crate::MAX_ROWS;

/// A row of a socket table.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SocketRow {
    /// The index of the row, as the table's INDEX clause defines it.
    pub index: Box<[u32]>,
    /// The value of tcpConnectionState. It is 7 for all UDP sockets.
    pub state: i32,
    /// The local address and port.
    pub local: (IpAddr, u16),
    /// The remote address and port; all zeros if the socket is not connected.
    pub remote: (IpAddr, u16),
}

/// One line of a socket file.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProcLine {
    local: (IpAddr, u16),
    remote: (IpAddr, u16),
    state: i32,
    inode: u32,
}

impl ProcLine {
    /// Parses all complete lines, up to the maximum number of rows.
    pub(super) fn all(text: &str) -> impl Iterator<Item = Self> {
        text.lines().skip(1).filter_map(Self::parse).take(MAX_ROWS)
    }

    fn parse(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace().skip(1);
        let (local, remote) = (end_point(words.next()?)?, end_point(words.next()?)?);
        let state = tcp_state(u8::from_str_radix(words.next()?, 16).ok()?)?;
        // Skips the queues, the timer, the retransmissions, the user and the timeout.
        let inode = words.nth(5)?.parse::<u64>().ok()?;
        Some(Self { local, remote, state, inode: (inode & u64::from(u32::MAX)) as u32 })
    }

    pub(super) fn is_listening(&self) -> bool {
        self.state == LISTEN
    }

    pub(super) fn is_ipv4(&self) -> bool {
        self.local.0.is_ipv4()
    }

    fn socket(&self, index: Vec<u32>) -> SocketRow {
        SocketRow { index: index.into(), state: self.state, local: self.local, remote: self.remote }
    }

    /// Returns the socket as a row of tcpConnTable.
    pub(super) fn tcp_ipv4_row(&self) -> SocketRow {
        let mut index = Vec::with_capacity(10);
        push_octets(&mut index, self.local.0);
        index.push(u32::from(self.local.1));
        push_octets(&mut index, self.remote.0);
        index.push(u32::from(self.remote.1));
        self.socket(index)
    }

    /// Returns the socket as a row of tcpConnectionTable.
    pub(super) fn tcp_connection_row(&self) -> SocketRow {
        let mut index = Vec::with_capacity(38);
        push_end_point(&mut index, self.local);
        push_end_point(&mut index, self.remote);
        self.socket(index)
    }

    /// Returns the socket as a row of tcpListenerTable.
    pub(super) fn tcp_listener_row(&self) -> SocketRow {
        let mut index = Vec::with_capacity(19);
        push_end_point(&mut index, self.local);
        self.socket(index)
    }

    /// Returns the socket as a row of udpTable.
    pub(super) fn udp_ipv4_row(&self) -> SocketRow {
        let mut index = Vec::with_capacity(5);
        push_octets(&mut index, self.local.0);
        index.push(u32::from(self.local.1));
        self.socket(index)
    }

    /// Returns the socket as a row of udpEndpointTable. The inode distinguishes sockets with the
    /// same addresses.
    pub(super) fn udp_endpoint_row(&self) -> SocketRow {
        let mut index = Vec::with_capacity(39);
        push_end_point(&mut index, self.local);
        push_end_point(&mut index, self.remote);
        index.push(self.inode.max(1));
        self.socket(index)
    }
}

pub(super) fn index(sockets: &[SocketRow], row: usize) -> &[u32] {
    sockets.get(row).map_or(&[], |socket| &socket.index)
}

pub(super) fn address((address, _): (IpAddr, u16)) -> Option<Value<'static>> {
    match address {
        IpAddr::V4(address) => Some(IpAddress(address.octets())),
        IpAddr::V6(_) => None,
    }
}

pub(super) fn port((_, port): (IpAddr, u16)) -> Option<Value<'static>> {
    Some(Integer(i32::from(port)))
}

/// Sorts the rows. Several sockets that listen on the same address become one row.
pub(super) fn arrange(rows: &mut Vec<SocketRow>) {
    rows.sort_unstable();
    rows.dedup_by(|later, earlier| later.index == earlier.index);
    rows.truncate(MAX_ROWS);
}

/// Appends the type, length and octets of an address, as InetAddressType and InetAddress are
/// encoded in an index.
pub(crate) fn push_address(index: &mut Vec<u32>, address: IpAddr) {
    index.extend(if address.is_ipv4() { [1, 4] } else { [2, 16] });
    push_octets(index, address);
}

fn push_end_point(index: &mut Vec<u32>, (address, port): (IpAddr, u16)) {
    push_address(index, address);
    index.push(u32::from(port));
}

fn push_octets(index: &mut Vec<u32>, address: IpAddr) {
    match address {
        IpAddr::V4(address) => index.extend(address.octets().map(u32::from)),
        IpAddr::V6(address) => index.extend(address.octets().map(u32::from)),
    }
}

/// Parses `0100007F:07E8`: the address as 32-bit words in native byte order, and the port.
fn end_point(text: &str) -> Option<(IpAddr, u16)> {
    let (address, port) = text.split_once(':')?;
    let port = u16::from_str_radix(port, 16).ok()?;
    let word = |position: usize| {
        let digits = address.get(position * 8..position * 8 + 8)?;
        u32::from_str_radix(digits, 16).ok().map(u32::to_ne_bytes)
    };
    let address = match address.len() {
        8 => IpAddr::V4(Ipv4Addr::from(word(0)?)),
        32 => {
            let mut octets = [0; 16];
            for (position, place) in octets.chunks_exact_mut(4).enumerate() {
                place.copy_from_slice(&word(position)?);
            }
            // An IPv4-mapped address on an IPv6 socket belongs to an IPv4 connection.
            Ipv6Addr::from(octets).to_canonical()
        }
        _ => return None,
    };
    Some((address, port))
}

/// Converts the kernel's state number to tcpConnState.
fn tcp_state(number: u8) -> Option<i32> {
    let state = match number {
        1 => 5,
        2 => 3,
        3 | 12 => 4,
        4 => 6,
        5 => 7,
        6 => 11,
        7 => 1,
        8 => 8,
        9 => 9,
        10 => LISTEN,
        11 => 10,
        _ => return None,
    };
    Some(state)
}

/// The value `listen` of tcpConnState.
const LISTEN: i32 = 2;
/// The process ID 0, which means "unknown".
pub(super) const UNKNOWN_PROCESS: Value<'static> = Gauge32(0);
