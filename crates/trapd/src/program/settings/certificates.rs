//! The certificates in Net-SNMP's directories, which `snmptrapd.conf` names.

use std::{
    env,
    fmt::Display,
    path::{Path, PathBuf},
};

use portreeve_channel::{Fingerprint, HashAlgorithm};
use portreeve_config::{FileReference, Tls, TlsVersions};
use portreeve_net_snmp_conf::default_folders;
use portreeve_secure_session::NetSnmpCertificates;

use crate::{NamedFile, TlsDirectives};

/// Returns the directories of Net-SNMP's configuration files.
pub(super) fn folders() -> Vec<PathBuf> {
    match env::var_os("SNMPCONFPATH") {
        Some(path) => env::split_paths(&path).collect(),
        None => default_folders(env::var_os("HOME").map(PathBuf::from).as_deref()),
    }
}

/// Returns the SHA-256 fingerprint of a certificate in Net-SNMP's directories, or the fingerprint
/// that is `name` itself.
pub(super) fn fingerprint(certificates: &NetSnmpCertificates, name: &str) -> Result<Fingerprint, String> {
    let missing = match certificates.fingerprint(name) {
        Ok(fingerprint) => return Ok(fingerprint),
        Err(missing) => missing,
    };
    match name.parse::<Fingerprint>() {
        Ok(fingerprint) if fingerprint.algorithm() != HashAlgorithm::Sha1 => Ok(fingerprint),
        // A certificate with the same SHA-1 hash can be forged.
        Ok(_) => Err(format!("{missing}: {}: use its SHA-256 fingerprint", missing.hint())),
        Err(_) => Err(format!("{missing}: {}", missing.hint())),
    }
}

/// Returns the TLS options of `snmptrapd.conf`, for listeners over TLS and DTLS.
pub(super) fn tls(directives: &TlsDirectives, file: &Path) -> Result<Tls, String> {
    let certificates = NetSnmpCertificates::in_folders(folders());
    let at = |named: Option<&NamedFile>, error: &dyn Display| match named {
        Some(NamedFile { location, .. }) => format!("{}:{}: {error}", location.path.display(), location.line),
        None => format!("{}: {error}: set localCert", file.display()),
    };
    let reference = |path, named: Option<&NamedFile>| FileReference {
        path,
        line: named.map_or(0, |named| named.location.line),
    };
    let local = directives.local_certificate.as_ref();
    let own = certificates.own(local.map_or(DEFAULT_CERTIFICATE, |named| &named.name));
    let (certificate, key) = own.map_err(|missing| at(local, &format!("{missing}: {}", missing.hint())))?;
    let mut authorities = Vec::new();
    for named in &directives.authorities {
        let found = certificates.authority(&named.name);
        let found = found.map_err(|missing| at(Some(named), &format!("{missing}: {}", missing.hint())))?;
        authorities.push(reference(found, Some(named)));
    }
    let revocations =
        directives.revocation_lists.iter().map(|named| reference(named.name.clone().into(), Some(named)));
    Ok(Tls {
        certificate: reference(certificate, local),
        key: reference(key, local),
        authorities,
        pinned: Vec::new(),
        revocations: revocations.collect(),
        versions: TlsVersions::default(),
    })
}

/// The name of the receiver's certificate if `localCert` names no other one.
const DEFAULT_CERTIFICATE: &str = "snmptrapd";
