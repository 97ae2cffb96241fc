//! Whether the server asks who we are: one that does not ask speaks TLS, and yet cannot serve secured sessions (RFC 6353
//! wants both ends authenticated).
//!
//! rustls goes on with such a server and does not tell. Whoever has it process what has come hears here of a request for
//! our certificate. No session is kept that began without one: a session that is resumed shows nothing of how it began.

use std::{cell::Cell, sync::Arc};

use rustls::{
    ClientConfig, SignatureScheme,
    client::{ClientSessionMemoryCache, ClientSessionStore, ResolvesClientCert, Resumption},
    pki_types::ServerName,
    sign::CertifiedKey,
};

/// The sessions that one client may resume.
#[derive(Clone, Debug)]
pub(crate) struct SessionCache(Arc<ClientSessionMemoryCache>);

impl SessionCache {
    /// Has connections of this configuration keep their sessions here, and requests for a certificate be heard.
    pub(crate) fn install(config: &mut ClientConfig) -> Self {
        let sessions = Self(Arc::new(ClientSessionMemoryCache::new(MAX_SESSIONS)));
        config.resumption = Resumption::store(Arc::clone(&sessions.0) as _);
        // rustls resumes only what began with the very same resolver, so it cannot be one for each connection.
        config.client_auth_cert_resolver =
            Arc::new(CertResolver(Arc::clone(&config.client_auth_cert_resolver)));
        sessions
    }

    /// Sees to it that no session with this server is resumed.
    pub(crate) fn forget(&self, server: &ServerName<'static>) {
        self.0.remove_tls12_session(server);
        while self.0.take_tls13_ticket(server).is_some() {}
    }
}

/// Has rustls do something for one connection, and tells whether our certificate was asked for meanwhile.
pub(crate) fn detect_certificate_request<T>(work: impl FnOnce() -> T) -> (T, bool) {
    CERTIFICATE_REQUESTED.set(false);
    let done = work();
    (done, CERTIFICATE_REQUESTED.get())
}

#[derive(Debug)]
struct CertResolver(Arc<dyn ResolvesClientCert>);

impl ResolvesClientCert for CertResolver {
    fn resolve(&self, hints: &[&[u8]], schemes: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
        CERTIFICATE_REQUESTED.set(true);
        self.0.resolve(hints, schemes)
    }

    fn has_certs(&self) -> bool {
        self.0.has_certs()
    }
}

thread_local! {
    /// Whether the connection that this thread is busy with was asked.
    static CERTIFICATE_REQUESTED: Cell<bool> = const { Cell::new(false) };
}

/// Tickets of 1.3, eight for each server.
const MAX_SESSIONS: usize = 256;
