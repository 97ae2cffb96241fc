//! Certificates for a demo: an authority, the agent's and a user's, all ECDSA on P-256.

use std::{fs, path::Path};

use portreeve_certificates::fingerprint;
use portreeve_channel::{Fingerprint, HashAlgorithm};
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
    KeyUsagePurpose,
};

use crate::{files::write_private, process::Failure};

/// Makes all of them in `directory`, in place of those that are there. Returns the authority's fingerprint.
pub(super) fn make(directory: &Path) -> Result<Fingerprint, Failure> {
    for name in [CA, AGENT, AGENT_KEY, USER, USER_KEY] {
        let file = directory.join(name);
        if file.exists() {
            fs::remove_file(&file).map_err(|error| Failure::new(format!("{}: {error}", file.display())))?;
        }
    }
    let mut params = named("Portreeve demo CA")?;
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    let authority = CertifiedIssuer::self_signed(params, key()?).map_err(Failure::new)?;
    write_private(&directory.join(CA), &authority.pem())?;

    let mut agent = CertificateParams::new(["localhost".to_owned(), "127.0.0.1".to_owned()]);
    if let Ok(params) = &mut agent {
        params.distinguished_name.push(DnType::CommonName, "Portreeve demo agent");
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    }
    issue(directory, AGENT, AGENT_KEY, agent.map_err(Failure::new)?, &authority)?;

    let mut user = named(USER_NAME)?;
    user.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
    issue(directory, USER, USER_KEY, user, &authority)?;
    Ok(fingerprint(HashAlgorithm::Sha256, authority.der()))
}

fn issue(
    directory: &Path,
    certificate: &str,
    private: &str,
    mut params: CertificateParams,
    authority: &CertifiedIssuer<'_, KeyPair>,
) -> Result<(), Failure> {
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    let key = key()?;
    let signed = params.signed_by(&key, authority).map_err(Failure::new)?;
    write_private(&directory.join(certificate), &signed.pem())?;
    write_private(&directory.join(private), &key.serialize_pem())
}

fn named(common_name: &str) -> Result<CertificateParams, Failure> {
    let mut params = CertificateParams::new(Vec::new()).map_err(Failure::new)?;
    params.distinguished_name = rcgen::DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, common_name);
    Ok(params)
}

fn key() -> Result<KeyPair, Failure> {
    KeyPair::generate().map_err(Failure::new)
}

/// Who the user's certificate is for.
pub(super) const USER_NAME: &str = "ops";
pub(super) const CA: &str = "ca.pem";
pub(super) const AGENT: &str = "agent.pem";
pub(super) const AGENT_KEY: &str = "agent.key";
pub(super) const USER: &str = "ops.pem";
pub(super) const USER_KEY: &str = "ops.key";
