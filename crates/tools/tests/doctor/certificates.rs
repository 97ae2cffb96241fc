//! Creates the certificates of the tests, valid ones and faulty ones.

use std::time::Duration;

use portreeve_x509::Trust;
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use time::OffsetDateTime;

use crate::test_home::TestHome;

/// A certification authority that issues the certificates of a test.
pub(crate) struct TestAuthority(CertifiedIssuer<'static, KeyPair>);

/// A certificate and its private key.
pub(crate) struct CertifiedKey {
    pub(crate) certificate: CertificateDer<'static>,
    pem: String,
    key: KeyPair,
}

impl TestAuthority {
    pub(crate) fn new(name: &str) -> Self {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    pub(crate) fn certificate(&self) -> CertificateDer<'static> {
        self.0.der().clone()
    }

    /// Returns a trust setting that accepts certificates signed by this authority.
    pub(crate) fn trusted(&self) -> Trust {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ca.pem");
        std::fs::write(&file, self.0.pem()).unwrap();
        let mut trust = Trust::default();
        trust.add_authorities(&file).unwrap();
        trust
    }

    /// Issues a server certificate for these names.
    pub(crate) fn server(&self, names: &[&str]) -> CertifiedKey {
        self.sign(names, |params| params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth])
    }

    /// Issues a server certificate that expired an hour ago.
    pub(crate) fn expired_server(&self, names: &[&str]) -> CertifiedKey {
        self.sign(names, |params| params.not_after = OffsetDateTime::now_utc() - Duration::from_secs(3600))
    }

    pub(crate) fn client(&self) -> CertifiedKey {
        self.sign(&[], |params| params.distinguished_name.push(DnType::CommonName, "ops"))
    }

    fn sign(&self, names: &[&str], change: impl FnOnce(&mut CertificateParams)) -> CertifiedKey {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut params = CertificateParams::new(names).unwrap();
        change(&mut params);
        let key = KeyPair::generate().unwrap();
        let signed = params.signed_by(&key, &self.0).unwrap();
        CertifiedKey { certificate: signed.der().clone(), pem: signed.pem(), key }
    }

    /// Writes a client certificate, its key and this authority's certificate to files. Returns the
    /// flags that select them.
    pub(crate) fn flags(&self, home: &TestHome) -> String {
        self.flags_trusting(home, self)
    }

    /// Returns the same flags as [`Self::flags`], except that they trust the authority `trusted`.
    pub(crate) fn flags_trusting(&self, home: &TestHome, trusted: &Self) -> String {
        let client = self.client();
        let certificate = home.write("own.pem", &client.pem);
        let key = home.write("own.key", &client.key.serialize_pem());
        let authority = home.write("ca.pem", &trusted.0.pem());
        format!(
            "--certificate {} --key {} --ca {}",
            certificate.display(),
            key.display(),
            authority.display()
        )
    }
}

impl CertifiedKey {
    pub(crate) fn key(&self) -> PrivateKeyDer<'static> {
        PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(self.key.serialize_der()))
    }
}
