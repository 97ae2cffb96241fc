//! HMAC-SHA-2 for USM (SNMP-USM-HMAC-SHA2-MIB, RFC 7860).

use super::{framework_mib::SNMP_AUTH_PROTOCOLS, snmpv2_smi::MIB_2};
use crate::{Module, define::*};

/// Definitions of SNMP-USM-HMAC-SHA2-MIB.
pub static MODULE: Module = Module {
    name: "SNMP-USM-HMAC-SHA2-MIB",
    last_updated: "201604180000Z",
    reference: "RFC 7860",
    description: "HMAC-SHA-2 for the User-based Security Model.",
    conventions: &[],
    objects: OBJECTS,
};

objects! {
    /// HMAC-SHA-2 for the User-based Security Model.
    SNMP_USM_HMAC_SHA2_MIB = module_identity("snmpUsmHmacSha2MIB", &MIB_2, 235);
    /// The authentication protocol HMAC-SHA-224 with digests of 128 bits.
    USM_HMAC128_SHA224_AUTH_PROTOCOL = identity("usmHMAC128SHA224AuthProtocol", &SNMP_AUTH_PROTOCOLS, 4);
    /// The authentication protocol HMAC-SHA-256 with digests of 192 bits.
    USM_HMAC192_SHA256_AUTH_PROTOCOL = identity("usmHMAC192SHA256AuthProtocol", &SNMP_AUTH_PROTOCOLS, 5);
    /// The authentication protocol HMAC-SHA-384 with digests of 256 bits.
    USM_HMAC256_SHA384_AUTH_PROTOCOL = identity("usmHMAC256SHA384AuthProtocol", &SNMP_AUTH_PROTOCOLS, 6);
    /// The authentication protocol HMAC-SHA-512 with digests of 384 bits.
    USM_HMAC384_SHA512_AUTH_PROTOCOL = identity("usmHMAC384SHA512AuthProtocol", &SNMP_AUTH_PROTOCOLS, 7);
}
