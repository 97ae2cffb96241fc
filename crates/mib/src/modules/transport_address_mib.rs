//! Transport domains for any protocol, and their addresses (TRANSPORT-ADDRESS-MIB, RFC 3419).

use super::snmpv2_smi::MIB_2;
use crate::{Module, define::*};

/// Definitions of TRANSPORT-ADDRESS-MIB.
pub static MODULE: Module = Module {
    name: "TRANSPORT-ADDRESS-MIB",
    last_updated: "200211010000Z",
    reference: "RFC 3419",
    description: "Transport domains and their address formats.",
    conventions: CONVENTIONS,
    objects: OBJECTS,
};

conventions! {
    /// A type of transport service.
    TRANSPORT_DOMAIN = convention("TransportDomain", OBJECT_ID);
    /// A type of transport service, as a number.
    TRANSPORT_ADDRESS_TYPE = convention("TransportAddressType", enumeration(&[
        ("unknown", 0), ("udpIpv4", 1), ("udpIpv6", 2), ("udpIpv4z", 3), ("udpIpv6z", 4), ("tcpIpv4", 5),
        ("tcpIpv6", 6), ("tcpIpv4z", 7), ("tcpIpv6z", 8), ("sctpIpv4", 9), ("sctpIpv6", 10), ("sctpIpv4z", 11),
        ("sctpIpv6z", 12), ("local", 13), ("udpDns", 14), ("tcpDns", 15), ("sctpDns", 16),
    ]));
    /// A transport address in the form of its TransportDomain or TransportAddressType.
    TRANSPORT_ADDRESS = convention("TransportAddress", OCTETS.limited(&[(0, 255)]));
    /// An IPv4 address and a port, both in network byte order.
    TRANSPORT_ADDRESS_IPV4 = convention("TransportAddressIPv4", OCTETS.limited(&[(6, 6)])).hint("1d.1d.1d.1d:2d");
    /// An IPv6 address and a port, both in network byte order.
    TRANSPORT_ADDRESS_IPV6 = convention("TransportAddressIPv6", OCTETS.limited(&[(18, 18)]))
        .hint("0a[2x:2x:2x:2x:2x:2x:2x:2x]0a:2d");
    /// An IPv4 address, its zone and a port.
    TRANSPORT_ADDRESS_IPV4Z = convention("TransportAddressIPv4z", OCTETS.limited(&[(10, 10)]))
        .hint("1d.1d.1d.1d%4d:2d");
    /// An IPv6 address, its zone and a port.
    TRANSPORT_ADDRESS_IPV6Z = convention("TransportAddressIPv6z", OCTETS.limited(&[(22, 22)]))
        .hint("0a[2x:2x:2x:2x:2x:2x:2x:2x%4d]0a:2d");
    /// The path of a local socket.
    TRANSPORT_ADDRESS_LOCAL = convention("TransportAddressLocal", OCTETS.limited(&[(1, 255)])).hint("1a");
    /// A host name, a colon and a port in decimal.
    TRANSPORT_ADDRESS_DNS = convention("TransportAddressDns", OCTETS.limited(&[(1, 255)])).hint("1a");
}

objects! {
    /// Transport domains and addresses.
    TRANSPORT_ADDRESS_MIB = module_identity("transportAddressMIB", &MIB_2, 100);
    /// One node for each type of transport service.
    TRANSPORT_DOMAINS = node("transportDomains", &TRANSPORT_ADDRESS_MIB, 1);
    /// UDP over IPv4; addresses are TransportAddressIPv4.
    TRANSPORT_DOMAIN_UDP_IPV4 = identity("transportDomainUdpIpv4", &TRANSPORT_DOMAINS, 1);
    /// UDP over IPv6; addresses are TransportAddressIPv6.
    TRANSPORT_DOMAIN_UDP_IPV6 = identity("transportDomainUdpIpv6", &TRANSPORT_DOMAINS, 2);
    /// UDP over IPv4 with a zone; addresses are TransportAddressIPv4z.
    TRANSPORT_DOMAIN_UDP_IPV4Z = identity("transportDomainUdpIpv4z", &TRANSPORT_DOMAINS, 3);
    /// UDP over IPv6 with a zone; addresses are TransportAddressIPv6z.
    TRANSPORT_DOMAIN_UDP_IPV6Z = identity("transportDomainUdpIpv6z", &TRANSPORT_DOMAINS, 4);
    /// TCP over IPv4; addresses are TransportAddressIPv4.
    TRANSPORT_DOMAIN_TCP_IPV4 = identity("transportDomainTcpIpv4", &TRANSPORT_DOMAINS, 5);
    /// TCP over IPv6; addresses are TransportAddressIPv6.
    TRANSPORT_DOMAIN_TCP_IPV6 = identity("transportDomainTcpIpv6", &TRANSPORT_DOMAINS, 6);
    /// TCP over IPv4 with a zone; addresses are TransportAddressIPv4z.
    TRANSPORT_DOMAIN_TCP_IPV4Z = identity("transportDomainTcpIpv4z", &TRANSPORT_DOMAINS, 7);
    /// TCP over IPv6 with a zone; addresses are TransportAddressIPv6z.
    TRANSPORT_DOMAIN_TCP_IPV6Z = identity("transportDomainTcpIpv6z", &TRANSPORT_DOMAINS, 8);
    /// SCTP over IPv4; addresses are TransportAddressIPv4.
    TRANSPORT_DOMAIN_SCTP_IPV4 = identity("transportDomainSctpIpv4", &TRANSPORT_DOMAINS, 9);
    /// SCTP over IPv6; addresses are TransportAddressIPv6.
    TRANSPORT_DOMAIN_SCTP_IPV6 = identity("transportDomainSctpIpv6", &TRANSPORT_DOMAINS, 10);
    /// SCTP over IPv4 with a zone; addresses are TransportAddressIPv4z.
    TRANSPORT_DOMAIN_SCTP_IPV4Z = identity("transportDomainSctpIpv4z", &TRANSPORT_DOMAINS, 11);
    /// SCTP over IPv6 with a zone; addresses are TransportAddressIPv6z.
    TRANSPORT_DOMAIN_SCTP_IPV6Z = identity("transportDomainSctpIpv6z", &TRANSPORT_DOMAINS, 12);
    /// Sockets within one host; addresses are TransportAddressLocal.
    TRANSPORT_DOMAIN_LOCAL = identity("transportDomainLocal", &TRANSPORT_DOMAINS, 13);
    /// UDP to a host name; addresses are TransportAddressDns.
    TRANSPORT_DOMAIN_UDP_DNS = identity("transportDomainUdpDns", &TRANSPORT_DOMAINS, 14);
    /// TCP to a host name; addresses are TransportAddressDns.
    TRANSPORT_DOMAIN_TCP_DNS = identity("transportDomainTcpDns", &TRANSPORT_DOMAINS, 15);
    /// SCTP to a host name; addresses are TransportAddressDns.
    TRANSPORT_DOMAIN_SCTP_DNS = identity("transportDomainSctpDns", &TRANSPORT_DOMAINS, 16);
}
