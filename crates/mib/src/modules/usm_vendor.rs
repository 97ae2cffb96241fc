//! Privacy protocols for USM that no RFC defines, with the identifiers that Net-SNMP, Cisco and
//! others use.
//!
//! AES with longer keys follows draft-blumenthal-aes-usm-04, with the identifiers of the ESO
//! consortium. The variants with Reeder's key extension have Cisco's identifiers. Triple DES
//! follows draft-reeder-snmpv3-usm-3desede-00.

pub mod cisco {
    //! CISCO-SNMP-USM-OIDS-MIB.

    use crate::{Module, define::*, modules::snmpv2_smi::ENTERPRISES};

    /// Definitions of CISCO-SNMP-USM-OIDS-MIB.
    pub static MODULE: Module = Module {
        name: "CISCO-SNMP-USM-OIDS-MIB",
        last_updated: "200602280000Z",
        reference: "Cisco Systems",
        description: "Cisco's privacy protocols of the User-based Security Model.",
        conventions: &[],
        objects: OBJECTS,
    };

    objects! {
        /// Definitions of Cisco Systems.
        CISCO = node("cisco", &ENTERPRISES, 9);
        /// Cisco's modules without objects.
        CISCO_MODULES = node("ciscoModules", &CISCO, 12);
        /// Protocols of the User-based Security Model.
        CISCO_SNMP_USM_OIDS_MIB = module_identity("ciscoSnmpUsmOidsMIB", &CISCO_MODULES, 6);
        /// Identifiers of privacy protocols.
        CISCO_SNMP_PRIV_PROTOCOLS = node("ciscoSnmpPrivProtocols", &CISCO_SNMP_USM_OIDS_MIB, 1);
        /// The privacy protocol CFB128-AES-192 with Reeder's key extension.
        CUSM_AES_CFB192_PRIV_PROTOCOL = identity("cusmAESCfb192PrivProtocol", &CISCO_SNMP_PRIV_PROTOCOLS, 1);
        /// The privacy protocol CFB128-AES-256 with Reeder's key extension.
        CUSM_AES_CFB256_PRIV_PROTOCOL = identity("cusmAESCfb256PrivProtocol", &CISCO_SNMP_PRIV_PROTOCOLS, 2);
        /// The privacy protocol CBC-3DES-EDE.
        CUSM_3DES168_PRIV_PROTOCOL = identity("cusm3DES168PrivProtocol", &CISCO_SNMP_PRIV_PROTOCOLS, 3);
    }
}

pub mod eso {
    //! ESO-CONSORTIUM-MIB, and triple DES with the identifier of its draft.

    use crate::{
        Module,
        define::*,
        modules::{framework_mib::SNMP_PRIV_PROTOCOLS, snmpv2_smi::ENTERPRISES},
    };

    /// Definitions of ESO-CONSORTIUM-MIB.
    pub static MODULE: Module = Module {
        name: "ESO-CONSORTIUM-MIB",
        last_updated: "200406230000Z",
        reference: "Extended Security Options Consortium",
        description: "Privacy protocols of the User-based Security Model that were never standardized.",
        conventions: &[],
        objects: OBJECTS,
    };

    objects! {
        /// The Extended Security Options consortium.
        ESO_CONSORTIUM_MIB = module_identity("esoConsortiumMIB", &ENTERPRISES, 14832);
        /// The privacy protocols of the consortium.
        ESO_CONSORTIUM_MIB_OBJECT_IDENTITIES = node("esoConsortiumMIBObjectIdentities", &ESO_CONSORTIUM_MIB, 1);
        /// The privacy protocol CBC-3DES-EDE, with the identifier of the consortium.
        USM_3DES_PRIV_PROTOCOL = identity("usm3DESPrivProtocol", &ESO_CONSORTIUM_MIB_OBJECT_IDENTITIES, 1);
        /// The privacy protocol CFB128-AES-128, with the identifier used before RFC 3826.
        USM_AES_CFB128_PRIV_PROTOCOL = identity(
            "usmAESCfb128PrivProtocol", &ESO_CONSORTIUM_MIB_OBJECT_IDENTITIES, 2).deprecated();
        /// The privacy protocol CFB128-AES-192 with Blumenthal's key extension.
        USM_AES_CFB192_PRIV_PROTOCOL = identity(
            "usmAESCfb192PrivProtocol", &ESO_CONSORTIUM_MIB_OBJECT_IDENTITIES, 3);
        /// The privacy protocol CFB128-AES-256 with Blumenthal's key extension.
        USM_AES_CFB256_PRIV_PROTOCOL = identity(
            "usmAESCfb256PrivProtocol", &ESO_CONSORTIUM_MIB_OBJECT_IDENTITIES, 4);
        /// The privacy protocol CBC-3DES-EDE, with the identifier of
        /// draft-reeder-snmpv3-usm-3desede-00.
        USM_3DES_EDE_PRIV_PROTOCOL = identity("usm3DESEDEPrivProtocol", &SNMP_PRIV_PROTOCOLS, 3);
    }
}
