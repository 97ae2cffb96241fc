//! The roots of the tree of object identifiers (SNMPv2-SMI, RFC 2578).

use crate::{Module, define::*};

/// Definitions of SNMPv2-SMI.
pub static MODULE: Module = Module {
    name: "SNMPv2-SMI",
    last_updated: "",
    reference: "RFC 2578",
    description: "The roots of the tree of object identifiers.",
    conventions: &[],
    objects: OBJECTS,
};

/// The roots, which are defined even without loaded modules.
pub static ROOTS: Module = Module { objects: &[&CCITT, &ISO, &JOINT_ISO_CCITT], ..MODULE };

objects! {
    /// Standards of the ITU.
    CCITT = root("ccitt", 0);
    /// Standards of the ISO.
    ISO = root("iso", 1);
    /// Standards of ISO and ITU together.
    JOINT_ISO_CCITT = root("joint-iso-ccitt", 2);
    /// The null identifier.
    ZERO_DOT_ZERO = identity("zeroDotZero", &CCITT, 0);
    /// Organizations identified by ISO.
    ORG = node("org", &ISO, 3);
    /// The US Department of Defense.
    DOD = node("dod", &ORG, 6);
    /// Definitions of the Internet community.
    INTERNET = node("internet", &DOD, 1);
    /// Reserved for the OSI directory.
    DIRECTORY = node("directory", &INTERNET, 1);
    /// Standardized management.
    MGMT = node("mgmt", &INTERNET, 2);
    /// Standard MIB modules.
    MIB_2 = node("mib-2", &MGMT, 1);
    /// MIB modules of transmission media.
    TRANSMISSION = node("transmission", &MIB_2, 10);
    /// Experimental definitions.
    EXPERIMENTAL = node("experimental", &INTERNET, 3);
    /// Definitions outside of the standards.
    PRIVATE = node("private", &INTERNET, 4);
    /// One node for each enterprise.
    ENTERPRISES = node("enterprises", &PRIVATE, 1);
    /// Definitions about security.
    SECURITY = node("security", &INTERNET, 5);
    /// SNMP's own definitions.
    SNMP_V2 = node("snmpV2", &INTERNET, 6);
    /// Identifiers of transport domains.
    SNMP_DOMAINS = node("snmpDomains", &SNMP_V2, 1);
    /// Identifiers of transport proxies.
    SNMP_PROXYS = node("snmpProxys", &SNMP_V2, 2);
    /// MIB modules about SNMP.
    SNMP_MODULES = node("snmpModules", &SNMP_V2, 3);
}
