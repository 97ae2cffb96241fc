//! Detects servers that do not request a client certificate. They speak TLS, but cannot serve
//! secure sessions, because RFC 6353 requires mutual authentication.
//!
//! rustls continues with such a server and does not report it. The certificate resolver is called
//! only if the server requests a certificate, so a wrapper around it detects the request. Sessions
//! that began without a certificate request are removed from the cache, because a resumed handshake
//! contains no request in either case.

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
    /// Changes `config` so that its connections store their sessions in the returned cache, and so
    /// that certificate requests are detected.
    pub(crate) fn install(config: &mut ClientConfig) -> Self {
        let sessions = Self(Arc::new(ClientSessionMemoryCache::new(MAX_SESSIONS)));
        config.resumption = Resumption::store(Arc::clone(&sessions.0) as _);
        // rustls resumes only sessions that began with the same resolver instance, so all
        // connections must share one resolver.
        config.client_auth_cert_resolver =
            Arc::new(CertResolver(Arc::clone(&config.client_auth_cert_resolver)));
        sessions
    }

    /// Prevents sessions with this server from being resumed.
    pub(crate) fn forget(&self, server: &ServerName<'static>) {
        self.0.remove_tls12_session(server);
        while self.0.take_tls13_ticket(server).is_some() {}
    }
}

/// Runs `work`, which makes rustls process input of one connection, and returns whether the server
/// requested our certificate during that time.
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
    /// Set when the connection that this thread is processing receives a certificate request.
    static CERTIFICATE_REQUESTED: Cell<bool> = const { Cell::new(false) };
}

/// The maximum number of cached TLS 1.3 tickets, with up to eight per server.
const MAX_SESSIONS: usize = 256;
