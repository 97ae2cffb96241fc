//! `localCert`, `trustCert`, `x509CRLFile` and `certSecName`: sessions over TLS and DTLS.
//!
//! Net-SNMP reads all except `certSecName` in the section `[snmp]`.

use portreeve_channel::Fingerprint;
use portreeve_lcd::{CertToNameKey, CertToNameRow, StorageType};
use portreeve_mib::{
    Object,
    modules::tls_tm_mib::{
        SNMP_TLSTM_CERT_COMMON_NAME, SNMP_TLSTM_CERT_SAN_ANY, SNMP_TLSTM_CERT_SAN_DNS_NAME,
        SNMP_TLSTM_CERT_SAN_IP_ADDRESS, SNMP_TLSTM_CERT_SAN_RFC822_NAME, SNMP_TLSTM_CERT_SPECIFIED,
    },
};
use portreeve_net_snmp_conf::{ConfLocation, Directive};
use portreeve_smi::Oid;

use super::{Arguments, Parser, Reason};

/// The directives for sessions over TLS and DTLS.
#[derive(Clone, Debug, Default)]
pub struct TlsDirectives {
    /// The certificate of the receiver: a fingerprint, or a file name with or without its
    /// extension.
    pub local_certificate: Option<NamedFile>,
    /// The authorities that are trusted to sign the certificates of senders.
    pub authorities: Vec<NamedFile>,
    /// The paths of certificate revocation lists.
    pub revocation_lists: Vec<NamedFile>,
    /// True if a line that names a revocation list is invalid. Then no certificate is accepted,
    /// because it may be in that list.
    misses_revocation_list: bool,
    /// The rules that assign securityNames, by priority.
    names: Vec<CertificateRule>,
}

/// A certificate or a file, and the location of its directive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedFile {
    /// The location of the directive.
    pub location: ConfLocation,
    /// The name as written.
    pub name: String,
}

/// A rule of `certSecName`.
#[derive(Clone, Debug)]
struct CertificateRule {
    priority: u32,
    fingerprint: Fingerprint,
    mapping: &'static Object,
    /// The securityName of `--sn`; otherwise empty.
    security_name: Vec<u8>,
}

impl TlsDirectives {
    /// Returns a row of snmpTlstmCertToTSNTable for each `certSecName`; none if a revocation list
    /// is missing.
    pub fn rows(&self) -> Vec<CertToNameRow> {
        let rules = self.names.iter().filter(|_| !self.misses_revocation_list);
        let rows = rules.map(|rule| {
            let mut row = CertToNameRow::new(CertToNameKey { priority: rule.priority });
            row.columns.fingerprint = rule.fingerprint.to_octets().into();
            row.columns.map_type = Oid::new(rule.mapping.arcs()).unwrap_or_default();
            row.columns.data = rule.security_name.as_slice().into();
            row.into_active(StorageType::ReadOnly)
        });
        rows.collect()
    }
}

impl Parser<'_> {
    /// Parses a directive for TLS and DTLS. Returns false if it is another one.
    pub(super) fn parse_tls(
        &mut self,
        location: &ConfLocation,
        directive: &Directive,
    ) -> Result<bool, Reason> {
        let mut arguments = Arguments::of(directive);
        match &*directive.name.to_ascii_lowercase() {
            "localcert" => {
                self.conf.tls.local_certificate = Some(named_file(location, &mut arguments)?);
            }
            "trustcert" => self.conf.tls.authorities.push(named_file(location, &mut arguments)?),
            "x509crlfile" => match named_file(location, &mut arguments) {
                Ok(list) => self.conf.tls.revocation_lists.push(list),
                Err(reason) => {
                    self.conf.tls.misses_revocation_list = true;
                    return Err(format!("{reason}: no certificate is accepted without this list"));
                }
            },
            "certsecname" => {
                let rule = self.certificate_rule(&mut arguments)?;
                self.conf.tls.names.push(rule);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Parses `PRIORITY CERTIFICATE --sn NAME|--rfc822|--dns|--ip|--any|--cn`.
    fn certificate_rule(&self, arguments: &mut Arguments) -> Result<CertificateRule, Reason> {
        let priority = arguments.required("a priority")?;
        let priority = priority.parse().ok().filter(|priority| *priority > 0).ok_or_else(|| {
            format!("invalid priority {priority:?}: expected a number from 1 to {}", u32::MAX)
        })?;
        if self.conf.tls.names.iter().any(|rule| rule.priority == priority) {
            return Err(format!("the priority {priority} is used already: use another one"));
        }
        let certificate = arguments.required("the fingerprint or the file name of a certificate")?;
        let fingerprint = (self.names.certificate)(&certificate)?;
        let option = arguments.required(MAPPINGS)?;
        let (mapping, security_name) = match &*option.to_ascii_lowercase() {
            "--sn" => {
                let name = arguments.required("a securityName")?;
                if !(1..=MAX_NAME).contains(&name.len()) {
                    return Err(format!("invalid securityName: expected 1 to {MAX_NAME} octets"));
                }
                (&SNMP_TLSTM_CERT_SPECIFIED, name)
            }
            "--rfc822" => (&SNMP_TLSTM_CERT_SAN_RFC822_NAME, String::new()),
            "--dns" => (&SNMP_TLSTM_CERT_SAN_DNS_NAME, String::new()),
            "--ip" => (&SNMP_TLSTM_CERT_SAN_IP_ADDRESS, String::new()),
            "--any" => (&SNMP_TLSTM_CERT_SAN_ANY, String::new()),
            "--cn" => (&SNMP_TLSTM_CERT_COMMON_NAME, String::new()),
            _ => return Err(format!("invalid option {option:?}: expected {MAPPINGS}")),
        };
        arguments.end("the option")?;
        Ok(CertificateRule { priority, fingerprint, mapping, security_name: security_name.into_bytes() })
    }
}

fn named_file(location: &ConfLocation, arguments: &mut Arguments) -> Result<NamedFile, Reason> {
    let name = arguments.required("the fingerprint or the name of a file")?;
    arguments.end("the file")?;
    Ok(NamedFile { location: location.clone(), name })
}

/// The options of `certSecName`, for error messages.
const MAPPINGS: &str = "--sn NAME, --rfc822, --dns, --ip, --any or --cn";
/// The maximum length of a securityName in octets.
const MAX_NAME: usize = 32;
