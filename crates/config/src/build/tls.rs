//! `[tls]` and `[[tls.name]]`: rows of snmpTlstmCertToTSNTable (RFC 6353 §7).

use portreeve_channel::{Fingerprint, HashAlgorithm};
use portreeve_lcd::{CertToNameKey, CertToNameRow, StorageType};
use portreeve_mib::{Object, modules::tls_tm_mib::*};
use portreeve_smi::{Oid, TransportDomain};

use super::{
    Builder,
    names::{check_name, octets},
    weak::Weakness,
};
use crate::{
    FileReference, Listener, Tls, TlsVersions,
    options::{Section, TLS, TLS_NAME},
    problem::TextPosition,
    raw::{RawTls, RawTlsName},
    reader::{Located, display_escaped},
};

impl Builder<'_> {
    /// Builds the TLS options; `None` if the file does not contain `[tls]`.
    pub(super) fn tls(
        &mut self,
        raw: &RawTls,
        names: &[RawTlsName],
        listeners: &[(Listener, TextPosition)],
    ) -> Option<Tls> {
        let has_names = self.tls_names(names);
        let tls_listener = listeners.iter().find(|(listener, _)| is_tls(listener.transport));
        let position = match (raw.position, tls_listener) {
            (Some(position), _) => position,
            (None, Some((_, listener))) => {
                let found = "TLS and DTLS listeners need a certificate and trusted authorities";
                self.problems.error(*listener, found).hint("add [tls] with certificate, key and authorities");
                return None;
            }
            (None, None) => return None,
        };
        if names.is_empty() {
            let found = "no rule maps certificates to securityNames, so no client can connect";
            self.problems.warning(position, found).hint("add a [[tls.name]] rule");
        }
        let pinned: Vec<_> =
            raw.pinned.iter().filter_map(|written| self.fingerprint(&TLS, "pinned", written)).collect();
        if raw.authorities.is_empty() && raw.pinned.is_empty() && !has_names {
            let found = "no client certificate is trusted";
            self.problems.error(position, found).hint(
                "add authorities = [\"ca.pem\"], or the fingerprint of a client certificate to `pinned`",
            );
        }
        let versions = self.versions(&raw.versions);
        Some(Tls {
            certificate: self.file_at(raw.certificate.as_ref()?),
            key: self.file_at(raw.key.as_ref()?),
            authorities: raw.authorities.iter().map(|written| self.file_at(written)).collect(),
            pinned,
            revocations: raw.crl.iter().map(|written| self.file_at(written)).collect(),
            versions,
        })
    }

    fn versions(&mut self, written: &Option<Vec<Located<String>>>) -> TlsVersions {
        let Some(written) = written else { return TlsVersions::default() };
        let (mut older, mut newer) = (false, false);
        for version in written {
            match version.value.as_str() {
                "1.2" => older = true,
                "1.3" => newer = true,
                other => {
                    let found = format!("unsupported TLS version \"{}\"", display_escaped(other));
                    self.reject_value(&TLS, "versions", version.position, found);
                }
            }
        }
        match (older, newer) {
            (true, false) => TlsVersions::Only12,
            (false, true) => TlsVersions::Only13,
            _ => TlsVersions::From12,
        }
    }

    /// Adds the rows of `[[tls.name]]`; returns true if there are any.
    fn tls_names(&mut self, raw: &[RawTlsName]) -> bool {
        let mut any = false;
        for (priority, name) in RawTlsName::by_priority(raw) {
            let key = CertToNameKey { priority };
            if self.rows.cert_to_names.get(&key).is_some() {
                let found = format!("duplicate [[tls.name]] priority {priority}");
                self.problems
                    .error(name.position, found)
                    .hint("give each [[tls.name]] a different priority, or omit the priorities");
                continue;
            }
            let Some(row) = self.tls_name(name, key) else { continue };
            self.rows.insert(row.into_active(StorageType::ReadOnly));
            any = true;
        }
        any
    }

    fn tls_name(&mut self, raw: &RawTlsName, key: CertToNameKey) -> Option<CertToNameRow> {
        if let Some(name) = &raw.name {
            check_name(&TLS_NAME, "name", name, self.problems);
        }
        let mapping = match &raw.map {
            None if raw.name.is_some() => &SNMP_TLSTM_CERT_SPECIFIED,
            None => &SNMP_TLSTM_CERT_SAN_ANY,
            Some(written) => match MAPPINGS.into_iter().find(|(word, _)| *word == written.value) {
                Some((_, mapping)) => mapping,
                None => {
                    let found = format!("unknown `map` \"{}\"", display_escaped(&written.value));
                    self.reject_value(&TLS_NAME, "map", written.position, found);
                    return None;
                }
            },
        };
        let is_specified = *mapping == SNMP_TLSTM_CERT_SPECIFIED;
        match &raw.name {
            None if is_specified => {
                let found = "`map` is \"specified\", but `name` is missing";
                self.problems.error(raw.position, found).hint("add name = \"…\", or use another `map`");
            }
            Some(name) if !is_specified => {
                let found = "`name` is given, but `map` takes the name from the certificate";
                self.problems.error(name.position, found).hint("remove `name`, or set map = \"specified\"");
            }
            _ => {}
        }
        let fingerprint = self.fingerprint(&TLS_NAME, "fingerprint", raw.fingerprint.as_ref()?)?;
        let mut row = CertToNameRow::new(key);
        row.columns.fingerprint = fingerprint.to_octets().into();
        row.columns.map_type = Oid::new(mapping.arcs()).unwrap_or_default();
        row.columns.data = octets(raw.name.as_ref().map_or("", |name| &name.value));
        Some(row)
    }

    pub(super) fn fingerprint(
        &mut self,
        section: &Section,
        key: &str,
        written: &Located<String>,
    ) -> Option<Fingerprint> {
        match written.value.parse::<Fingerprint>() {
            Ok(fingerprint) => {
                if fingerprint.algorithm() == HashAlgorithm::Sha1 {
                    let better = "use the SHA-256 fingerprint";
                    let position = written.position;
                    self.weak.check(Weakness::Sha, position, "a SHA-1 fingerprint", better, self.problems);
                }
                Some(fingerprint)
            }
            Err(error) => {
                self.reject_value(
                    section,
                    key,
                    written.position,
                    format!("\"{}\": {error}", display_escaped(&written.value)),
                );
                None
            }
        }
    }

    pub(super) fn file_at(&self, written: &Located<String>) -> FileReference {
        FileReference { path: written.value.as_str().into(), line: self.problems.line(written.position) }
    }
}

fn is_tls(transport: TransportDomain) -> bool {
    matches!(transport, TransportDomain::Tls | TransportDomain::Dtls)
}

static MAPPINGS: [(&str, &Object); 6] = [
    ("specified", &SNMP_TLSTM_CERT_SPECIFIED),
    ("san-any", &SNMP_TLSTM_CERT_SAN_ANY),
    ("san-rfc822", &SNMP_TLSTM_CERT_SAN_RFC822_NAME),
    ("san-dns", &SNMP_TLSTM_CERT_SAN_DNS_NAME),
    ("san-ip", &SNMP_TLSTM_CERT_SAN_IP_ADDRESS),
    ("common-name", &SNMP_TLSTM_CERT_COMMON_NAME),
];
