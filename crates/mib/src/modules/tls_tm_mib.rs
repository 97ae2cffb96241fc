//! The TLS Transport Model (SNMP-TLS-TM-MIB, RFC 6353).

use super::{
    framework_mib::SNMP_ADMIN_STRING,
    snmpv2_smi::{MIB_2, SNMP_DOMAINS},
    snmpv2_tc::{AUTONOMOUS_TYPE, ROW_STATUS, STORAGE_TYPE, TIME_STAMP},
    target_mib::{SNMP_TARGET_ADDR_NAME, SNMP_TARGET_PARAMS_NAME},
};
use crate::{
    Module,
    define::*,
    object::{DefaultValue::*, Index},
};

/// Definitions of SNMP-TLS-TM-MIB.
pub static MODULE: Module = Module {
    name: "SNMP-TLS-TM-MIB",
    last_updated: "201107190000Z",
    reference: "RFC 6353",
    description: "The TLS Transport Model: its counters, and the mapping of certificates to security names.",
    conventions: CONVENTIONS,
    objects: OBJECTS,
};

conventions! {
    /// A host and a port: agent.example:10161, 192.0.2.1:10161, `[2001:db8::1]:10161`.
    SNMP_TLS_ADDRESS = convention("SnmpTLSAddress", OCTETS.limited(&[(1, 255)])).hint("1a");
    /// The fingerprint of a certificate: the number of the hash algorithm (2 SHA-1, 3 SHA-224, 4
    /// SHA-256, 5 SHA-384, 6 SHA-512), then the hash.
    SNMP_TLS_FINGERPRINT = convention("SnmpTLSFingerprint", OCTETS.limited(&[(0, 255)])).hint("1x:1x");
}

objects! {
    /// The TLS Transport Model.
    SNMP_TLSTM_MIB = module_identity("snmpTlstmMIB", &MIB_2, 198);
    /// SNMP over TLS over TCP; addresses are SnmpTLSAddress.
    SNMP_TLS_TCP_DOMAIN = identity("snmpTLSTCPDomain", &SNMP_DOMAINS, 8);
    /// SNMP over DTLS over UDP; addresses are SnmpTLSAddress.
    SNMP_DTLS_UDP_DOMAIN = identity("snmpDTLSUDPDomain", &SNMP_DOMAINS, 9);
    /// Notifications of this module.
    SNMP_TLSTM_NOTIFICATIONS = node("snmpTlstmNotifications", &SNMP_TLSTM_MIB, 0);
    /// Identities of this module.
    SNMP_TLSTM_IDENTITIES = node("snmpTlstmIdentities", &SNMP_TLSTM_MIB, 1);
    /// Objects of this module.
    SNMP_TLSTM_OBJECTS = node("snmpTlstmObjects", &SNMP_TLSTM_MIB, 2);
    /// Conformance information of this module.
    SNMP_TLSTM_CONFORMANCE = node("snmpTlstmConformance", &SNMP_TLSTM_MIB, 3);

    /// Methods to derive a security name from a certificate.
    SNMP_TLSTM_CERT_TO_TSNM_IDENTITIES = node("snmpTlstmCertToTSNMIdentities", &SNMP_TLSTM_IDENTITIES, 1);
    /// The name is specified in the row.
    SNMP_TLSTM_CERT_SPECIFIED = identity("snmpTlstmCertSpecified", &SNMP_TLSTM_CERT_TO_TSNM_IDENTITIES, 1);
    /// The name is the certificate's rfc822Name, with its host part in lower case.
    SNMP_TLSTM_CERT_SAN_RFC822_NAME = identity(
        "snmpTlstmCertSANRFC822Name", &SNMP_TLSTM_CERT_TO_TSNM_IDENTITIES, 2);
    /// The name is the certificate's dNSName in lower case.
    SNMP_TLSTM_CERT_SAN_DNS_NAME = identity(
        "snmpTlstmCertSANDNSName", &SNMP_TLSTM_CERT_TO_TSNM_IDENTITIES, 3);
    /// The name is the certificate's iPAddress: dotted for IPv4, 32 hexadecimal digits for IPv6.
    SNMP_TLSTM_CERT_SAN_IP_ADDRESS = identity(
        "snmpTlstmCertSANIpAddress", &SNMP_TLSTM_CERT_TO_TSNM_IDENTITIES, 4);
    /// The name is the first of rfc822Name, dNSName and iPAddress in the certificate.
    SNMP_TLSTM_CERT_SAN_ANY = identity("snmpTlstmCertSANAny", &SNMP_TLSTM_CERT_TO_TSNM_IDENTITIES, 5);
    /// The name is the CommonName of the certificate's subject.
    SNMP_TLSTM_CERT_COMMON_NAME = identity(
        "snmpTlstmCertCommonName", &SNMP_TLSTM_CERT_TO_TSNM_IDENTITIES, 6);

    /// Counters of sessions.
    SNMP_TLSTM_SESSION = node("snmpTlstmSession", &SNMP_TLSTM_OBJECTS, 1);
    /// Sessions that this engine has opened as a client.
    SNMP_TLSTM_SESSION_OPENS = scalar("snmpTlstmSessionOpens", &SNMP_TLSTM_SESSION, 1, COUNTER32, ReadOnly);
    /// Sessions that this engine has closed as a client.
    SNMP_TLSTM_SESSION_CLIENT_CLOSES = scalar(
        "snmpTlstmSessionClientCloses", &SNMP_TLSTM_SESSION, 2, COUNTER32, ReadOnly);
    /// Sessions that could not be opened as a client.
    SNMP_TLSTM_SESSION_OPEN_ERRORS = scalar(
        "snmpTlstmSessionOpenErrors", &SNMP_TLSTM_SESSION, 3, COUNTER32, ReadOnly);
    /// Sessions that this engine has accepted as a server.
    SNMP_TLSTM_SESSION_ACCEPTS = scalar("snmpTlstmSessionAccepts", &SNMP_TLSTM_SESSION, 4, COUNTER32, ReadOnly);
    /// Sessions that this engine has closed as a server.
    SNMP_TLSTM_SESSION_SERVER_CLOSES = scalar(
        "snmpTlstmSessionServerCloses", &SNMP_TLSTM_SESSION, 5, COUNTER32, ReadOnly);
    /// Messages not sent because their session no longer existed.
    SNMP_TLSTM_SESSION_NO_SESSIONS = scalar(
        "snmpTlstmSessionNoSessions", &SNMP_TLSTM_SESSION, 6, COUNTER32, ReadOnly);
    /// Sessions rejected because the client's certificate was not trusted or yielded no security
    /// name.
    SNMP_TLSTM_SESSION_INVALID_CLIENT_CERTIFICATES = scalar(
        "snmpTlstmSessionInvalidClientCertificates", &SNMP_TLSTM_SESSION, 7, COUNTER32, ReadOnly);
    /// Sessions closed because the server's certificate was issued by an unknown CA.
    SNMP_TLSTM_SESSION_UNKNOWN_SERVER_CERTIFICATE = scalar(
        "snmpTlstmSessionUnknownServerCertificate", &SNMP_TLSTM_SESSION, 8, COUNTER32, ReadOnly);
    /// Sessions closed because the server's certificate was not the expected one.
    SNMP_TLSTM_SESSION_INVALID_SERVER_CERTIFICATES = scalar(
        "snmpTlstmSessionInvalidServerCertificates", &SNMP_TLSTM_SESSION, 9, COUNTER32, ReadOnly);
    /// Messages not sent because the security model supplied incomplete session data.
    SNMP_TLSTM_SESSION_INVALID_CACHES = scalar(
        "snmpTlstmSessionInvalidCaches", &SNMP_TLSTM_SESSION, 10, COUNTER32, ReadOnly);

    /// Settings of the TLS Transport Model.
    SNMP_TLSTM_CONFIG = node("snmpTlstmConfig", &SNMP_TLSTM_OBJECTS, 2);
    /// Certificates and their mappings.
    SNMP_TLSTM_CERTIFICATE_MAPPING = node("snmpTlstmCertificateMapping", &SNMP_TLSTM_CONFIG, 1);
    /// The number of rows of snmpTlstmCertToTSNTable.
    SNMP_TLSTM_CERT_TO_TSN_COUNT = scalar(
        "snmpTlstmCertToTSNCount", &SNMP_TLSTM_CERTIFICATE_MAPPING, 1, GAUGE32, ReadOnly);
    /// The value of sysUpTime when snmpTlstmCertToTSNTable last changed; 0 if it has not changed
    /// since the start.
    SNMP_TLSTM_CERT_TO_TSN_TABLE_LAST_CHANGED = scalar(
        "snmpTlstmCertToTSNTableLastChanged", &SNMP_TLSTM_CERTIFICATE_MAPPING, 2, tc(&TIME_STAMP), ReadOnly);
    /// Maps certificates to security names; the first active row that yields a name is used.
    SNMP_TLSTM_CERT_TO_TSN_TABLE = table("snmpTlstmCertToTSNTable", &SNMP_TLSTM_CERTIFICATE_MAPPING, 3);
    /// One rule that maps certificates to a security name.
    SNMP_TLSTM_CERT_TO_TSN_ENTRY = row(
        "snmpTlstmCertToTSNEntry", &SNMP_TLSTM_CERT_TO_TSN_TABLE, Index::Objects(&[&SNMP_TLSTM_CERT_TO_TSN_ID]));
    /// The priority of the rule; the lowest number is tried first.
    SNMP_TLSTM_CERT_TO_TSN_ID = column(
        "snmpTlstmCertToTSNID", &SNMP_TLSTM_CERT_TO_TSN_ENTRY, 1,
        UNSIGNED32.limited(&[(1, 4294967295)]), NotAccessible);
    /// The fingerprint of the certificate, or of a CA above it.
    SNMP_TLSTM_CERT_TO_TSN_FINGERPRINT = column(
        "snmpTlstmCertToTSNFingerprint", &SNMP_TLSTM_CERT_TO_TSN_ENTRY, 2,
        tc(&SNMP_TLS_FINGERPRINT).limited(&[(1, 255)]), ReadCreate);
    /// The method to derive the name: an identity below snmpTlstmCertToTSNMIdentities.
    SNMP_TLSTM_CERT_TO_TSN_MAP_TYPE = column(
        "snmpTlstmCertToTSNMapType", &SNMP_TLSTM_CERT_TO_TSN_ENTRY, 3, tc(&AUTONOMOUS_TYPE), ReadCreate)
        .default(Object(&SNMP_TLSTM_CERT_SPECIFIED));
    /// Additional data for the method; for snmpTlstmCertSpecified, the name.
    SNMP_TLSTM_CERT_TO_TSN_DATA = column(
        "snmpTlstmCertToTSNData", &SNMP_TLSTM_CERT_TO_TSN_ENTRY, 4, OCTETS.limited(&[(0, 1024)]), ReadCreate)
        .default(Octets(&[]));
    /// The storage type of the row.
    SNMP_TLSTM_CERT_TO_TSN_STORAGE_TYPE = column(
        "snmpTlstmCertToTSNStorageType", &SNMP_TLSTM_CERT_TO_TSN_ENTRY, 5, tc(&STORAGE_TYPE), ReadCreate)
        .default(Label("nonVolatile"));
    /// The status of the row. It can become active only with a fingerprint.
    SNMP_TLSTM_CERT_TO_TSN_ROW_STATUS = column(
        "snmpTlstmCertToTSNRowStatus", &SNMP_TLSTM_CERT_TO_TSN_ENTRY, 6, tc(&ROW_STATUS), ReadCreate);

    /// The number of rows of snmpTlstmParamsTable.
    SNMP_TLSTM_PARAMS_COUNT = scalar(
        "snmpTlstmParamsCount", &SNMP_TLSTM_CERTIFICATE_MAPPING, 4, GAUGE32, ReadOnly);
    /// The value of sysUpTime when snmpTlstmParamsTable last changed; 0 if it has not changed since
    /// the start.
    SNMP_TLSTM_PARAMS_TABLE_LAST_CHANGED = scalar(
        "snmpTlstmParamsTableLastChanged", &SNMP_TLSTM_CERTIFICATE_MAPPING, 5, tc(&TIME_STAMP), ReadOnly);
    /// The certificates that this engine presents, one for each row of snmpTargetParamsTable.
    SNMP_TLSTM_PARAMS_TABLE = table("snmpTlstmParamsTable", &SNMP_TLSTM_CERTIFICATE_MAPPING, 6);
    /// The certificate for one row of snmpTargetParamsTable.
    SNMP_TLSTM_PARAMS_ENTRY = row(
        "snmpTlstmParamsEntry", &SNMP_TLSTM_PARAMS_TABLE, Index::Implied(&[&SNMP_TARGET_PARAMS_NAME]));
    /// The fingerprint of the certificate to present.
    SNMP_TLSTM_PARAMS_CLIENT_FINGERPRINT = column(
        "snmpTlstmParamsClientFingerprint", &SNMP_TLSTM_PARAMS_ENTRY, 1, tc(&SNMP_TLS_FINGERPRINT), ReadCreate);
    /// The storage type of the row.
    SNMP_TLSTM_PARAMS_STORAGE_TYPE = column(
        "snmpTlstmParamsStorageType", &SNMP_TLSTM_PARAMS_ENTRY, 2, tc(&STORAGE_TYPE), ReadCreate)
        .default(Label("nonVolatile"));
    /// The status of the row. It can become active only with a fingerprint.
    SNMP_TLSTM_PARAMS_ROW_STATUS = column(
        "snmpTlstmParamsRowStatus", &SNMP_TLSTM_PARAMS_ENTRY, 3, tc(&ROW_STATUS), ReadCreate);

    /// The number of rows of snmpTlstmAddrTable.
    SNMP_TLSTM_ADDR_COUNT = scalar(
        "snmpTlstmAddrCount", &SNMP_TLSTM_CERTIFICATE_MAPPING, 7, GAUGE32, ReadOnly);
    /// The value of sysUpTime when snmpTlstmAddrTable last changed; 0 if it has not changed since
    /// the start.
    SNMP_TLSTM_ADDR_TABLE_LAST_CHANGED = scalar(
        "snmpTlstmAddrTableLastChanged", &SNMP_TLSTM_CERTIFICATE_MAPPING, 8, tc(&TIME_STAMP), ReadOnly);
    /// The certificates that servers must present, one for each row of snmpTargetAddrTable.
    SNMP_TLSTM_ADDR_TABLE = table("snmpTlstmAddrTable", &SNMP_TLSTM_CERTIFICATE_MAPPING, 9);
    /// The server at one address of snmpTargetAddrTable.
    SNMP_TLSTM_ADDR_ENTRY = row(
        "snmpTlstmAddrEntry", &SNMP_TLSTM_ADDR_TABLE, Index::Implied(&[&SNMP_TARGET_ADDR_NAME]));
    /// The fingerprint of the server's certificate; empty if it must be issued by a trusted CA.
    SNMP_TLSTM_ADDR_SERVER_FINGERPRINT = column(
        "snmpTlstmAddrServerFingerprint", &SNMP_TLSTM_ADDR_ENTRY, 1, tc(&SNMP_TLS_FINGERPRINT), ReadCreate)
        .default(Octets(&[]));
    /// The name that a certificate issued by a trusted CA must contain; * accepts any name.
    SNMP_TLSTM_ADDR_SERVER_IDENTITY = column(
        "snmpTlstmAddrServerIdentity", &SNMP_TLSTM_ADDR_ENTRY, 2, tc(&SNMP_ADMIN_STRING), ReadCreate)
        .default(Octets(&[]));
    /// The storage type of the row.
    SNMP_TLSTM_ADDR_STORAGE_TYPE = column(
        "snmpTlstmAddrStorageType", &SNMP_TLSTM_ADDR_ENTRY, 3, tc(&STORAGE_TYPE), ReadCreate)
        .default(Label("nonVolatile"));
    /// The status of the row.
    SNMP_TLSTM_ADDR_ROW_STATUS = column(
        "snmpTlstmAddrRowStatus", &SNMP_TLSTM_ADDR_ENTRY, 4, tc(&ROW_STATUS), ReadCreate);

    /// A server presented a certificate that was issued by an unknown CA.
    SNMP_TLSTM_SERVER_CERTIFICATE_UNKNOWN = notification(
        "snmpTlstmServerCertificateUnknown", &SNMP_TLSTM_NOTIFICATIONS, 1,
        &[&SNMP_TLSTM_SESSION_UNKNOWN_SERVER_CERTIFICATE]);
    /// A server presented a certificate that was not the expected one.
    SNMP_TLSTM_SERVER_INVALID_CERTIFICATE = notification(
        "snmpTlstmServerInvalidCertificate", &SNMP_TLSTM_NOTIFICATIONS, 2,
        &[&SNMP_TLSTM_ADDR_SERVER_FINGERPRINT, &SNMP_TLSTM_SESSION_INVALID_SERVER_CERTIFICATES]);

    /// Compliance statements.
    SNMP_TLSTM_COMPLIANCES = node("snmpTlstmCompliances", &SNMP_TLSTM_CONFORMANCE, 1);
    /// Conformance groups.
    SNMP_TLSTM_GROUPS = node("snmpTlstmGroups", &SNMP_TLSTM_CONFORMANCE, 2);
    /// Requirements for engines with the TLS Transport Model.
    SNMP_TLSTM_COMPLIANCE = compliance("snmpTlstmCompliance", &SNMP_TLSTM_COMPLIANCES, 1, &[
        &SNMP_TLSTM_STATS_GROUP, &SNMP_TLSTM_INCOMING_GROUP, &SNMP_TLSTM_OUTGOING_GROUP,
        &SNMP_TLSTM_NOTIFICATION_GROUP,
    ], &[]);
    /// The counters of sessions.
    SNMP_TLSTM_STATS_GROUP = group("snmpTlstmStatsGroup", &SNMP_TLSTM_GROUPS, 1, &[
        &SNMP_TLSTM_SESSION_OPENS, &SNMP_TLSTM_SESSION_CLIENT_CLOSES, &SNMP_TLSTM_SESSION_OPEN_ERRORS,
        &SNMP_TLSTM_SESSION_ACCEPTS, &SNMP_TLSTM_SESSION_SERVER_CLOSES, &SNMP_TLSTM_SESSION_NO_SESSIONS,
        &SNMP_TLSTM_SESSION_INVALID_CLIENT_CERTIFICATES, &SNMP_TLSTM_SESSION_UNKNOWN_SERVER_CERTIFICATE,
        &SNMP_TLSTM_SESSION_INVALID_SERVER_CERTIFICATES, &SNMP_TLSTM_SESSION_INVALID_CACHES,
    ]);
    /// Objects for sessions that clients open.
    SNMP_TLSTM_INCOMING_GROUP = group("snmpTlstmIncomingGroup", &SNMP_TLSTM_GROUPS, 2, &[
        &SNMP_TLSTM_CERT_TO_TSN_COUNT, &SNMP_TLSTM_CERT_TO_TSN_TABLE_LAST_CHANGED,
        &SNMP_TLSTM_CERT_TO_TSN_FINGERPRINT, &SNMP_TLSTM_CERT_TO_TSN_MAP_TYPE, &SNMP_TLSTM_CERT_TO_TSN_DATA,
        &SNMP_TLSTM_CERT_TO_TSN_STORAGE_TYPE, &SNMP_TLSTM_CERT_TO_TSN_ROW_STATUS,
    ]);
    /// Objects for sessions that this engine opens.
    SNMP_TLSTM_OUTGOING_GROUP = group("snmpTlstmOutgoingGroup", &SNMP_TLSTM_GROUPS, 3, &[
        &SNMP_TLSTM_PARAMS_COUNT, &SNMP_TLSTM_PARAMS_TABLE_LAST_CHANGED, &SNMP_TLSTM_PARAMS_CLIENT_FINGERPRINT,
        &SNMP_TLSTM_PARAMS_STORAGE_TYPE, &SNMP_TLSTM_PARAMS_ROW_STATUS, &SNMP_TLSTM_ADDR_COUNT,
        &SNMP_TLSTM_ADDR_TABLE_LAST_CHANGED, &SNMP_TLSTM_ADDR_SERVER_FINGERPRINT,
        &SNMP_TLSTM_ADDR_SERVER_IDENTITY, &SNMP_TLSTM_ADDR_STORAGE_TYPE, &SNMP_TLSTM_ADDR_ROW_STATUS,
    ]);
    /// The notifications of this module.
    SNMP_TLSTM_NOTIFICATION_GROUP = notification_group("snmpTlstmNotificationGroup", &SNMP_TLSTM_GROUPS, 4, &[
        &SNMP_TLSTM_SERVER_CERTIFICATE_UNKNOWN, &SNMP_TLSTM_SERVER_INVALID_CERTIFICATE,
    ]);
}
