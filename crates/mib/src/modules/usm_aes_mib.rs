//! AES for USM (SNMP-USM-AES-MIB, RFC 3826).

use super::{framework_mib::SNMP_PRIV_PROTOCOLS, snmpv2_smi::SNMP_MODULES};
use crate::{Module, define::*};

/// Definitions of SNMP-USM-AES-MIB.
pub static MODULE: Module = Module {
    name: "SNMP-USM-AES-MIB",
    last_updated: "200406140000Z",
    reference: "RFC 3826",
    description: "AES for the User-based Security Model.",
    conventions: &[],
    objects: OBJECTS,
};

objects! {
    /// AES for the User-based Security Model.
    SNMP_USM_AES_MIB = module_identity("snmpUsmAesMIB", &SNMP_MODULES, 20);
    /// The privacy protocol CFB128-AES-128.
    USM_AES_CFB128_PROTOCOL = identity("usmAesCfb128Protocol", &SNMP_PRIV_PROTOCOLS, 4);
}
