//! The notifications about a receiver whose certificate is not trusted (RFC 6353 §7): there may be
//! an attack.

use std::sync::Arc;

use portreeve_channel::ChannelReason;
use portreeve_lcd::{Lcd, Name, TlsAddressKey};
use portreeve_mib::modules::tls_tm_mib::{
    SNMP_TLSTM_ADDR_SERVER_FINGERPRINT, SNMP_TLSTM_SERVER_CERTIFICATE_UNKNOWN,
    SNMP_TLSTM_SERVER_INVALID_CERTIFICATE, SNMP_TLSTM_SESSION_INVALID_SERVER_CERTIFICATES,
    SNMP_TLSTM_SESSION_UNKNOWN_SERVER_CERTIFICATE,
};
use portreeve_smi::Value;
use portreeve_snmp_engine::statistics::{Counter, Statistics};

use crate::OutgoingNotification;

/// Returns the notification about the certificate of the target `name`; `None` if the session was
/// not opened for another cause.
//= rfc6353#5.3.1-3-p2
pub(crate) fn certificate_report(
    cause: ChannelReason,
    name: &Name,
    lcd: &Lcd,
    statistics: &Statistics,
    up_time: u32,
) -> Option<OutgoingNotification> {
    let count = |counter| Value::Counter32(statistics.counter32(counter));
    match cause {
        ChannelReason::UnknownCertificate => {
            let report = OutgoingNotification::new(SNMP_TLSTM_SERVER_CERTIFICATE_UNKNOWN.arcs(), up_time);
            let count = count(Counter::SnmpTlstmSessionUnknownServerCertificate);
            Some(report.with(&SNMP_TLSTM_SESSION_UNKNOWN_SERVER_CERTIFICATE, 0, count))
        }
        ChannelReason::InvalidCertificate => {
            let row = lcd.tables().tls_addresses.get(&TlsAddressKey { address_name: Arc::clone(name) });
            let fingerprint = row.map(|row| &*row.server_fingerprint).unwrap_or_default();
            let index: Vec<u32> = name.iter().copied().map(u32::from).collect();
            let report = OutgoingNotification::new(SNMP_TLSTM_SERVER_INVALID_CERTIFICATE.arcs(), up_time);
            let fingerprint = Value::OctetString(fingerprint);
            let report = report.with_index(&SNMP_TLSTM_ADDR_SERVER_FINGERPRINT, &index, fingerprint);
            let count = count(Counter::SnmpTlstmSessionInvalidServerCertificates);
            Some(report.with(&SNMP_TLSTM_SESSION_INVALID_SERVER_CERTIFICATES, 0, count))
        }
        ChannelReason::NoSessionChannel => None,
    }
}
