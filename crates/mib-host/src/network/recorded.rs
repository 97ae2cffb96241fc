//! A recorded network, for tests.

use std::{
    io,
    net::{IpAddr, Ipv4Addr},
};

use super::{InterfaceAddress, KernelRoute, NetworkSource, NetworkText};

/// A network whose files, addresses and routes are recorded. Tests may change the texts between two
/// reads.
pub(crate) struct RecordedNetwork {
    pub(crate) tcp: String,
    /// Simulates a kernel without IPv6, which lacks the IPv6 files.
    pub(crate) without_ipv6: bool,
}

impl Default for RecordedNetwork {
    fn default() -> Self {
        Self { tcp: TCP.to_owned(), without_ipv6: false }
    }
}

impl NetworkSource for RecordedNetwork {
    fn read(&mut self, which: NetworkText, text: &mut String) -> io::Result<()> {
        text.push_str(match which {
            NetworkText::Counters6 | NetworkText::Tcp6 | NetworkText::Udp6 if self.without_ipv6 => {
                return Err(io::ErrorKind::NotFound.into());
            }
            NetworkText::Counters => COUNTERS,
            NetworkText::ExtendedCounters => "IpExt: InNoRoutes InOctets\nIpExt: 1 11942688081\n",
            NetworkText::Counters6 => COUNTERS6,
            NetworkText::Tcp => &self.tcp,
            NetworkText::Tcp6 => TCP6,
            NetworkText::Udp => UDP,
            NetworkText::Udp6 => HEAD,
            NetworkText::FragmentTime => "30\n",
        });
        Ok(())
    }

    fn addresses(&mut self, each: &mut dyn FnMut(InterfaceAddress)) -> io::Result<()> {
        each(InterfaceAddress::new([192, 0, 2, 2], 4, 24, true));
        each(InterfaceAddress::new([127, 0, 0, 1], 1, 8, false));
        Ok(())
    }

    fn routes(&mut self, each: &mut dyn FnMut(KernelRoute)) -> io::Result<()> {
        let route = |destination: [u8; 4], prefix, next: [u8; 4], metric| KernelRoute {
            destination: IpAddr::V4(Ipv4Addr::from(destination)),
            prefix,
            next: IpAddr::V4(Ipv4Addr::from(next)),
            interface: 4,
            kind: if next == [0; 4] { 3 } else { 4 },
            protocol: 2,
            metric,
        };
        each(route([192, 0, 2, 0], 24, [0; 4], 200));
        each(route([192, 0, 2, 0], 24, [0; 4], 100));
        each(route([0; 4], 0, [192, 0, 2, 1], 0));
        Ok(())
    }
}

const COUNTERS: &str = "\
Ip: Forwarding DefaultTTL InReceives ForwDatagrams InDelivers OutRequests FragOKs FragFails FragCreates
Ip: 2 64 98564658 10 98564658 98543723 2 1 6
Icmp: InMsgs InErrors InCsumErrors
Icmp: 18716 0 0
IcmpMsg: InType3 OutType3 OutType8
IcmpMsg: 18716 18700 2
Tcp: RtoAlgorithm RtoMin RtoMax MaxConn ActiveOpens CurrEstab InSegs
Tcp: 1 200 120000 -1 79875 2 10418654000
Udp: InDatagrams NoPorts InErrors OutDatagrams
Udp: 88165823 18700 97 88187660
malformed
";
const COUNTERS6: &str = "\
Ip6InReceives                   \t112067
Ip6OutTransmits                 \t112085
Icmp6InMsgs                     \t401
Icmp6OutType135                 \t12
";
const HEAD: &str =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";
pub(crate) const TCP: &str = "\
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:07E8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1076 1 0 100 0 0 10 0
   1: 0100007F:07E8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1077 1 0 100 0 0 10 0
   2: 020200C0:8F9E 507100CB:01BB 01 00000000:00000000 02:00000A8C 00000000     0        0 99 2 0 21 4 30 10 -1
   3: 020200C0:8F9F 507100CB:01BB 06 00000000:00000000 03:00000A8C 00000000     0        0 0 3 0
   4: 020200C0
";
const TCP6: &str = "\
  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000000000000000000000000000:0016 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 7 1 0 100 0 0 10 0
   1: 0000000000000000FFFF00000100007F:0016 0000000000000000FFFF00000100007F:D431 01 00000000:00000000 00:00000000 00000000     0        0 8 1 0 100 0 0 10 0
";
const UDP: &str = "\
   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
  10: 00000000:00A1 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 501 2 0 0
  10: 00000000:00A1 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 502 2 0 0
  11: 0100007F:D8F4 0100007F:00A1 01 00000000:00000000 00:00000000 00000000     0        0 503 2 0 0
";
