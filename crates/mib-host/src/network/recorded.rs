//! A recorded network, for tests.

use std::{
    io,
    net::{IpAddr, Ipv4Addr},
};

use super::{InterfaceAddress, KernelRoute, NetworkSource, NetworkText};

/// A network whose files, addresses and routes are recorded.
#[derive(Default)]
pub(crate) struct RecordedNetwork {
    /// Simulates a kernel without IPv6, which lacks the IPv6 files.
    pub(crate) without_ipv6: bool,
}

impl NetworkSource for RecordedNetwork {
    fn read(&mut self, which: NetworkText, text: &mut String) -> io::Result<()> {
        text.push_str(match which {
            NetworkText::Counters6 if self.without_ipv6 => {
                return Err(io::ErrorKind::NotFound.into());
            }
            NetworkText::Counters => COUNTERS,
            NetworkText::ExtendedCounters => "IpExt: InNoRoutes InOctets\nIpExt: 1 11942688081\n",
            NetworkText::Counters6 => COUNTERS6,
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
