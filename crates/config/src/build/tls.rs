//! `[tls]` and `[[tls.name]]`: rows of snmpTlstmCertToTSNTable (RFC 6353 §7).

use portreeve_channel::Fingerprint;
use portreeve_lcd::{CertToNameKey, CertToNameRow, StorageType};
use portreeve_mib::{Object, modules::tls_tm_mib::*};
use portreeve_smi::{Oid, TransportDomain};

use super::{
    Builder,
    names::{check_name, octets},
};
use crate::{
    FileAt, Listener, Tls, TlsVersions,
    options::{Section, TLS, TLS_NAME},
    problem::Place,
    raw::{RawTls, RawTlsName},
    reader::{Written, shown},
};

impl Builder<'_> {
    /// What TLS is spoken with; `None` where nothing is said of it.
    pub(super) fn tls(
        &mut self,
        raw: &RawTls,
        names: &[RawTlsName],
        listeners: &[(Listener, Place)],
    ) -> Option<Tls> {
        let named = self.tls_names(names);
        let wanted = listeners.iter().find(|(listener, _)| is_tls(listener.transport));
        let place = match (raw.place, wanted) {
            (Some(place), _) => place,
            (None, Some((_, listener))) => {
                let found = "sessions over TLS and DTLS need a certificate, and somebody to trust";
                self.problems.error(*listener, found).hint("add [tls] with certificate, key and authorities");
                return None;
            }
            (None, None) => return None,
        };
        if names.is_empty() {
            let found = "no certificate gives a securityName, so nobody gets in";
            self.problems.warning(place, found).hint("add a [[tls.name]]");
        }
        let pinned: Vec<_> =
            raw.pinned.iter().filter_map(|written| self.fingerprint(&TLS, "pinned", written)).collect();
        if raw.authorities.is_empty() && raw.pinned.is_empty() && !named {
            let found = "nobody is trusted";
            self.problems
                .error(place, found)
                .hint("name authorities = [\"ca.pem\"], or a pinned fingerprint");
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

    fn versions(&mut self, written: &Option<Vec<Written<String>>>) -> TlsVersions {
        let Some(written) = written else { return TlsVersions::default() };
        let (mut older, mut newer) = (false, false);
        for version in written {
            match version.value.as_str() {
                "1.2" => older = true,
                "1.3" => newer = true,
                other => {
                    let found = format!("there is no version \"{}\" of TLS", shown(other));
                    self.refuse(&TLS, "versions", version.place, found);
                }
            }
        }
        match (older, newer) {
            (true, false) => TlsVersions::Only12,
            (false, true) => TlsVersions::Only13,
            _ => TlsVersions::From12,
        }
    }

    /// Makes the rows; returns whether there are any.
    fn tls_names(&mut self, raw: &[RawTlsName]) -> bool {
        let mut any = false;
        for (priority, name) in RawTlsName::by_priority(raw) {
            let key = CertToNameKey { priority };
            if self.rows.cert_to_names.get(&key).is_some() {
                let found = format!("there is a [[tls.name]] of priority {priority} already");
                self.problems.error(name.place, found).hint("give each a priority of its own, or none");
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
        let way = match &raw.map {
            None if raw.name.is_some() => &SNMP_TLSTM_CERT_SPECIFIED,
            None => &SNMP_TLSTM_CERT_SAN_ANY,
            Some(written) => match WAYS.into_iter().find(|(word, _)| *word == written.value) {
                Some((_, way)) => way,
                None => {
                    let found = format!("no name is made by \"{}\"", shown(&written.value));
                    self.refuse(&TLS_NAME, "map", written.place, found);
                    return None;
                }
            },
        };
        let is_specified = *way == SNMP_TLSTM_CERT_SPECIFIED;
        match &raw.name {
            None if is_specified => {
                let found = "`map` = \"specified\", but no `name` specifies it";
                self.problems
                    .error(raw.place, found)
                    .hint("add name = \"…\", or take it from the certificate");
            }
            Some(name) if !is_specified => {
                let found = "`name` is given, but `map` takes the name from the certificate";
                self.problems.error(name.place, found).hint("remove one of the two");
            }
            _ => {}
        }
        let fingerprint = self.fingerprint(&TLS_NAME, "fingerprint", raw.fingerprint.as_ref()?)?;
        let mut row = CertToNameRow::new(key);
        row.columns.fingerprint = fingerprint.to_octets().into();
        row.columns.map_type = Oid::new(way.arcs()).unwrap_or_default();
        row.columns.data = octets(raw.name.as_ref().map_or("", |name| &name.value));
        Some(row)
    }

    fn fingerprint(
        &mut self,
        section: &Section,
        key: &str,
        written: &Written<String>,
    ) -> Option<Fingerprint> {
        match written.value.parse() {
            Ok(fingerprint) => Some(fingerprint),
            Err(error) => {
                self.refuse(section, key, written.place, format!("\"{}\": {error}", shown(&written.value)));
                None
            }
        }
    }

    pub(super) fn file_at(&self, written: &Written<String>) -> FileAt {
        FileAt { path: written.value.as_str().into(), line: self.problems.line(written.place) }
    }
}

fn is_tls(transport: TransportDomain) -> bool {
    matches!(transport, TransportDomain::Tls | TransportDomain::Dtls)
}

static WAYS: [(&str, &Object); 6] = [
    ("specified", &SNMP_TLSTM_CERT_SPECIFIED),
    ("san-any", &SNMP_TLSTM_CERT_SAN_ANY),
    ("san-rfc822", &SNMP_TLSTM_CERT_SAN_RFC822_NAME),
    ("san-dns", &SNMP_TLSTM_CERT_SAN_DNS_NAME),
    ("san-ip", &SNMP_TLSTM_CERT_SAN_IP_ADDRESS),
    ("common-name", &SNMP_TLSTM_CERT_COMMON_NAME),
];
