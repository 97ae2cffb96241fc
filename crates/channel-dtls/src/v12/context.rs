//! State shared by all DTLS 1.2 channels of a client or server.

use openssl::{
    error::ErrorStack,
    ex_data::Index,
    pkey::PKey,
    ssl::{
        Ssl, SslContext, SslContextBuilder, SslMethod, SslOptions, SslSessionCacheMode, SslVerifyMode,
        SslVersion,
    },
    x509::{X509, X509StoreContext, X509StoreContextRef, X509VerifyResult},
};
use portreeve_sys::openssl::ChainRejectReason;
use portreeve_x509::{Credentials, TrustError};
use rustls_pki_types::CertificateDer;

use super::channel::Verification;
use crate::settings::{Settings, SettingsError};

/// Credentials, algorithms and options of new channels.
#[derive(Clone)]
pub(crate) struct Context12 {
    context: SslContext,
    verification_index: Index<Ssl, Verification>,
    handshake_datagram: u16,
}

impl Context12 {
    pub(crate) fn new(credentials: &Credentials, settings: &Settings) -> Result<Self, SettingsError> {
        let verification_index = Ssl::new_ex_index().map_err(SettingsError::new)?;
        let mut builder = SslContextBuilder::new(SslMethod::dtls()).map_err(SettingsError::new)?;
        install_credentials(&mut builder, credentials)?;
        restrict_algorithms(&mut builder).map_err(SettingsError::new)?;
        let require = SslVerifyMode::PEER | SslVerifyMode::FAIL_IF_NO_PEER_CERT;
        builder.set_verify_callback(require, move |intact, store| {
            verify_callback(verification_index, intact, store)
        });
        builder.set_verify_depth(MAX_CHAIN);
        // Our own code verifies the cookie before it creates a channel, so OpenSSL accepts any.
        builder.set_cookie_generate_cb(|_, _| Ok(0));
        builder.set_cookie_verify_cb(|_, _| true);
        Ok(Self {
            context: builder.build(),
            verification_index,
            handshake_datagram: settings.max_handshake_datagram,
        })
    }

    /// Creates a connection that stores the result of the verification in `verification`.
    pub(super) fn connection(&self, verification: Verification) -> Result<Ssl, ErrorStack> {
        let mut ssl = Ssl::new(&self.context)?;
        ssl.set_ex_data(self.verification_index, verification);
        ssl.set_mtu(self.handshake_datagram.into())?;
        Ok(ssl)
    }
}

fn install_credentials(
    builder: &mut SslContextBuilder,
    credentials: &Credentials,
) -> Result<(), SettingsError> {
    let mut chain = credentials.chain().iter().map(|der| X509::from_der(der));
    let leaf = chain.next().ok_or_else(|| SettingsError::new("the certificate chain is empty"))?;
    builder.set_certificate(&*leaf.map_err(SettingsError::new)?).map_err(SettingsError::new)?;
    for issuer in chain {
        builder.add_extra_chain_cert(issuer.map_err(SettingsError::new)?).map_err(SettingsError::new)?;
    }
    let key = PKey::private_key_from_der(credentials.key().secret_der()).map_err(SettingsError::new)?;
    builder.set_private_key(&key).map_err(|_| SettingsError::key_mismatch())?;
    builder.check_private_key().map_err(|_| SettingsError::key_mismatch())
}

/// Allows only authenticated encryption with forward secrecy (RFC 9325 §4.2), and disables
/// everything that changes a session later.
fn restrict_algorithms(builder: &mut SslContextBuilder) -> Result<(), ErrorStack> {
    builder.set_security_level(2);
    builder.set_min_proto_version(Some(SslVersion::DTLS1_2))?;
    builder.set_cipher_list(SUITES)?;
    builder.set_groups_list(GROUPS)?;
    builder.set_options(
        SslOptions::NO_RENEGOTIATION
            | SslOptions::NO_COMPRESSION
            | SslOptions::NO_TICKET
            | SslOptions::NO_QUERY_MTU
            | SslOptions::CIPHER_SERVER_PREFERENCE,
    );
    builder.set_session_cache_mode(SslSessionCacheMode::OFF);
    Ok(())
}

/// OpenSSL orders the chain and checks it as far as possible without trust anchors. At the leaf,
/// which always comes last, our verifier decides about the whole chain, and OpenSSL sends the
/// alert.
fn verify_callback(index: Index<Ssl, Verification>, intact: bool, store: &mut X509StoreContextRef) -> bool {
    if !(intact && store.error_depth() == 0) {
        return true;
    }
    let chain: Vec<CertificateDer<'static>> = store
        .chain()
        .map(|chain| chain.iter().filter_map(|link| link.to_der().ok()).map(CertificateDer::from).collect())
        .unwrap_or_default();
    let ssl = X509StoreContext::ssl_idx().ok().and_then(|index| store.ex_data(index));
    let Some(verification) = ssl.and_then(|ssl| ssl.ex_data(index)) else { return false };
    match verification.verify(&chain) {
        Ok(()) => {
            store.set_error(X509VerifyResult::OK);
            true
        }
        Err(error) => {
            store.set_error(to_verify_error(error).into());
            false
        }
    }
}

/// Returns the OpenSSL error from which OpenSSL chooses the alert.
fn to_verify_error(error: TrustError) -> ChainRejectReason {
    match error {
        TrustError::Expired => ChainRejectReason::Expired,
        TrustError::NotYetValid => ChainRejectReason::NotYetValid,
        TrustError::Revoked => ChainRejectReason::Revoked,
        // A bad signature means that another authority with the same name has signed.
        TrustError::UnknownIssuer | TrustError::BadSignature => ChainRejectReason::UnknownIssuer,
        TrustError::WrongUsage => ChainRejectReason::WrongUsage,
        TrustError::NoCertificate
        | TrustError::Malformed
        | TrustError::ChainTooLong
        | TrustError::NameMismatch
        | TrustError::TooWeak
        | TrustError::ConstraintViolated => ChainRejectReason::OtherReason,
    }
}

/// The cipher suites of DTLS 1.2: only AES-GCM with ephemeral keys, because
/// [`DatagramBuffer`](super::datagram_buffer::DatagramBuffer) relies on the minimum length of its
/// records.
const SUITES: &str = "ECDHE+AESGCM";
const GROUPS: &str = "X25519:P-256:P-384";

/// The maximum number of certificates above the leaf that OpenSSL accepts: one more than allowed,
/// so that the verifier can report that there are too many.
const MAX_CHAIN: u32 = 9;
