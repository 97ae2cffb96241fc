//! All modules with definitions.

pub mod community_mib;
pub mod framework_mib;
pub mod host_resources_mib;
pub mod host_resources_types;
pub mod iana_if_type_mib;
pub mod iana_rtproto_mib;
pub mod if_mib;
pub mod inet_address_mib;
pub mod ip_forward_mib;
pub mod ip_mib;
pub mod mpd_mib;
pub mod notification_mib;
pub mod snmpv2_conf;
pub mod snmpv2_mib;
pub mod snmpv2_smi;
pub mod snmpv2_tc;
pub mod snmpv2_tm;
pub mod ssh_tm_mib;
pub mod target_mib;
pub mod tcp_mib;
pub mod tls_tm_mib;
pub mod transport_address_mib;
pub mod tsm_mib;
pub mod ucd_snmp_mib;
pub mod udp_mib;
pub mod usm_aes_mib;
pub mod usm_hmac_sha2_mib;
pub mod usm_mib;
pub mod usm_vendor;
pub mod vacm_mib;

use crate::Module;

/// Every module, sorted so that modules follow those that they import from.
pub static ALL: &[&Module] = &[
    &snmpv2_smi::MODULE,
    &snmpv2_tc::MODULE,
    &snmpv2_conf::MODULE,
    &snmpv2_mib::MODULE,
    &iana_if_type_mib::MODULE,
    &if_mib::MODULE,
    &inet_address_mib::MODULE,
    &ip_mib::MODULE,
    &iana_rtproto_mib::MODULE,
    &ip_forward_mib::MODULE,
    &tcp_mib::MODULE,
    &udp_mib::MODULE,
    &host_resources_mib::MODULE,
    &host_resources_types::MODULE,
    &ucd_snmp_mib::MODULE,
    &framework_mib::MODULE,
    &mpd_mib::MODULE,
    &target_mib::MODULE,
    &notification_mib::MODULE,
    &usm_mib::MODULE,
    &usm_aes_mib::MODULE,
    &usm_hmac_sha2_mib::MODULE,
    &usm_vendor::eso::MODULE,
    &usm_vendor::cisco::MODULE,
    &vacm_mib::MODULE,
    &community_mib::MODULE,
    &snmpv2_tm::MODULE,
    &transport_address_mib::MODULE,
    &tsm_mib::MODULE,
    &ssh_tm_mib::MODULE,
    &tls_tm_mib::MODULE,
];

#[cfg(test)]
mod tests;
