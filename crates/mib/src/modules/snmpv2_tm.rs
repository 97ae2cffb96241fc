//! The first transport mappings of SNMP (SNMPv2-TM, RFC 3417).

use super::snmpv2_smi::{SNMP_DOMAINS, SNMP_MODULES, SNMP_PROXYS};
use crate::{Module, define::*};

/// Definitions of SNMPv2-TM.
pub static MODULE: Module = Module {
    name: "SNMPv2-TM",
    last_updated: "200210160000Z",
    reference: "RFC 3417",
    description: "Transport mappings of SNMP.",
    conventions: CONVENTIONS,
    objects: OBJECTS,
};

conventions! {
    /// An IPv4 address and a UDP port, both in network byte order.
    SNMP_UDP_ADDRESS = convention("SnmpUDPAddress", OCTETS.limited(&[(6, 6)])).hint("1d.1d.1d.1d/2d");
    /// The length of the NSAP, the NSAP and the transport selector.
    SNMP_OSI_ADDRESS = convention("SnmpOSIAddress", OCTETS.limited(&[(1, 1), (4, 85)])).hint("*1x:/1x:");
    /// An AppleTalk name: object, type and zone, each preceded by its length.
    SNMP_NBP_ADDRESS = convention("SnmpNBPAddress", OCTETS.limited(&[(3, 99)]));
    /// Network number, physical address and socket number.
    SNMP_IPX_ADDRESS = convention("SnmpIPXAddress", OCTETS.limited(&[(12, 12)])).hint("4x.1x:1x:1x:1x:1x:1x.2d");
}

objects! {
    /// SNMP's transport mappings.
    SNMPV2TM = module_identity("snmpv2tm", &SNMP_MODULES, 19);
    /// SNMP over UDP on IPv4; addresses are SnmpUDPAddress.
    SNMP_UDP_DOMAIN = identity("snmpUDPDomain", &SNMP_DOMAINS, 1);
    /// SNMP over CLNS; addresses are SnmpOSIAddress.
    SNMP_CLNS_DOMAIN = identity("snmpCLNSDomain", &SNMP_DOMAINS, 2);
    /// SNMP over CONS; addresses are SnmpOSIAddress.
    SNMP_CONS_DOMAIN = identity("snmpCONSDomain", &SNMP_DOMAINS, 3);
    /// SNMP over DDP; addresses are SnmpNBPAddress.
    SNMP_DDP_DOMAIN = identity("snmpDDPDomain", &SNMP_DOMAINS, 4);
    /// SNMP over IPX; addresses are SnmpIPXAddress.
    SNMP_IPX_DOMAIN = identity("snmpIPXDomain", &SNMP_DOMAINS, 5);
    /// The registration point of proxies to SNMPv1 over UDP.
    RFC1157_PROXY = node("rfc1157Proxy", &SNMP_PROXYS, 1);
    /// SNMPv1 over UDP; addresses are SnmpUDPAddress.
    RFC1157_DOMAIN = identity("rfc1157Domain", &RFC1157_PROXY, 1).deprecated();
}
