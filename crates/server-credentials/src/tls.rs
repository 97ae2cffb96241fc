//! TLS and DTLS credentials: read from files at start and at every reload.

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

use portreeve_channel::Fingerprint;
use portreeve_channel_dtls::{self as dtls, DtlsServer};
use portreeve_channel_tls::{self as tls, TlsServer};
use portreeve_config::{FileReference, Tls, TlsVersions};
use portreeve_datastore::StateHandle;
use portreeve_x509::{Credentials, Trust};

/// The credentials and trust of the TLS and DTLS servers, from valid files.
pub struct TlsMaterial {
    stream: TlsIdentity,
    /// The credentials and trust for DTLS, if a listener needs them.
    datagrams: Option<TlsIdentity>,
    versions: TlsVersions,
    /// The key file and its line in the configuration, for errors when the servers are created.
    key: PathBuf,
    line: usize,
    file: PathBuf,
}

struct TlsIdentity {
    credentials: Credentials,
    trust: Trust,
}

/// The servers that use the credentials.
#[derive(Clone)]
pub struct TlsServers {
    /// The server for TLS.
    pub stream: Arc<TlsServer>,
    /// The server for DTLS, if a listener needs it.
    pub datagrams: Option<Arc<DtlsServer>>,
}

impl TlsMaterial {
    /// Reads all files that `tls` refers to, for TLS and, if `datagrams` is true, for DTLS;
    /// relative paths start from the directory of `file`.
    ///
    /// # Errors
    /// The problems of all files.
    pub fn load(tls: &Tls, datagrams: bool, file: &Path) -> Result<Self, CredentialFilesError> {
        let stream = TlsIdentity::load(tls, file)?;
        let datagrams = datagrams.then(|| TlsIdentity::load(tls, file)).transpose()?;
        let key = beside(file, &tls.key);
        let (versions, line, file) = (tls.versions, tls.key.line, file.to_owned());
        Ok(Self { stream, datagrams, versions, key, line, file })
    }

    /// Pins the certificates whose fingerprints are in snmpTlstmCertToTSNTable at the time of a
    /// handshake: a pinned certificate needs no authority (RFC 6353 §7). Pinning the fingerprint of
    /// an authority is harmless, because the authority can sign certificates for any name anyway.
    pub fn pin_from_state(mut self, state: &StateHandle) -> Self {
        for identity in [Some(&mut self.stream), self.datagrams.as_mut()].into_iter().flatten() {
            let state = state.clone();
            identity.trust.pin_if(move |certificate| {
                let current = state.current();
                let mut rows = current.lcd.tables().certificate_rules();
                rows.any(|row| {
                    Fingerprint::from_octets(&row.fingerprint)
                        .is_ok_and(|named| certificate.has_fingerprint(&named))
                })
            });
        }
        self
    }

    /// Creates the servers.
    ///
    /// # Errors
    /// If key and certificate do not match, or a protocol does not support them.
    pub fn into_servers(self) -> Result<TlsServers, CredentialFilesError> {
        let (for_tls, for_dtls) = self.settings();
        let Self { stream, datagrams, key, line, file, .. } = self;
        let unusable = |error: &dyn fmt::Display| CredentialFilesError::at(&file, line, &key, error);
        let stream =
            TlsServer::new(&stream.credentials, stream.trust, for_tls).map_err(|error| unusable(&error))?;
        let datagrams = datagrams
            .map(|identity| DtlsServer::new(&identity.credentials, identity.trust, for_dtls))
            .transpose()
            .map_err(|error| unusable(&error))?;
        Ok(TlsServers { stream: Arc::new(stream), datagrams: datagrams.map(Arc::new) })
    }

    /// Replaces the credentials of `servers`; open sessions remain open.
    ///
    /// # Errors
    /// As [`into_servers`](Self::into_servers); the credentials are then unchanged.
    pub fn replace(self, servers: &TlsServers) -> Result<(), CredentialFilesError> {
        let (for_tls, for_dtls) = self.settings();
        let Self { stream, datagrams, key, line, file, .. } = self;
        let unusable = |error: &dyn fmt::Display| CredentialFilesError::at(&file, line, &key, error);
        // DTLS has more restrictions and is replaced first, so that either both servers change or
        // neither does.
        if let Some((identity, server)) = datagrams.zip(servers.datagrams.as_ref()) {
            server
                .replace(&identity.credentials, identity.trust, for_dtls)
                .map_err(|error| unusable(&error))?;
        }
        servers.stream.replace(&stream.credentials, stream.trust, for_tls).map_err(|error| unusable(&error))
    }

    fn settings(&self) -> (tls::Versions, dtls::Settings) {
        let (stream, versions) = match self.versions {
            TlsVersions::From12 => (tls::Versions::From12, dtls::Versions::From12),
            TlsVersions::Only13 => (tls::Versions::Only13, dtls::Versions::Only13),
            TlsVersions::Only12 => (tls::Versions::Only12, dtls::Versions::Only12),
        };
        (stream, dtls::Settings { versions, ..dtls::Settings::default() })
    }
}

impl TlsIdentity {
    fn load(tls: &Tls, file: &Path) -> Result<Self, CredentialFilesError> {
        let mut unusable = CredentialFilesError::new(file);
        let mut trust = Trust::default();
        for named in &tls.authorities {
            unusable.record(named.line, trust.add_authorities(&beside(file, named)));
        }
        for named in &tls.revocations {
            unusable.record(named.line, trust.add_revocations(&beside(file, named)));
        }
        tls.pinned.iter().cloned().for_each(|pinned| trust.pin(pinned));
        let key = beside(file, &tls.key);
        let credentials = Credentials::load(&beside(file, &tls.certificate), &key);
        let line = match &credentials {
            Err(problem) if problem.path != key => tls.certificate.line,
            _ => tls.key.line,
        };
        match unusable.record(line, credentials) {
            Some(credentials) if unusable.is_empty() => {
                // Clients often have certificates of the agent's intermediate authority, and may
                // not send that authority's certificate.
                trust.add_intermediates(credentials.chain().get(1..).unwrap_or_default());
                Ok(Self { credentials, trust })
            }
            _ => Err(unusable),
        }
    }
}

/// The problems of files that the configuration refers to.
#[derive(Debug)]
pub struct CredentialFilesError {
    file: PathBuf,
    problems: Vec<(usize, String)>,
}

impl CredentialFilesError {
    /// Creates an empty list for files that `file` names.
    pub(crate) fn new(file: &Path) -> Self {
        Self { file: file.to_owned(), problems: Vec::new() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.problems.is_empty()
    }

    pub(crate) fn record<T, E: fmt::Display>(&mut self, line: usize, result: Result<T, E>) -> Option<T> {
        result.map_err(|problem| self.problems.push((line, problem.to_string()))).ok()
    }

    /// Returns the problems of both lists, ordered by line.
    pub fn merge(mut self, other: Self) -> Self {
        self.problems.extend(other.problems);
        self.problems.sort_by_key(|(line, _)| *line);
        self
    }

    fn at(file: &Path, line: usize, named: &Path, error: &dyn fmt::Display) -> Self {
        Self { file: file.to_owned(), problems: vec![(line, format!("{}: {error}", named.display()))] }
    }
}

impl fmt::Display for CredentialFilesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (line, problem) in &self.problems {
            let problem = problem.replace("\nhint:", "\n    hint:");
            write!(f, "{separator}{}:{line}: error: {problem}", self.file.display())?;
            separator = "\n";
        }
        Ok(())
    }
}

fn beside(file: &Path, named: &FileReference) -> PathBuf {
    file.parent().unwrap_or(Path::new("")).join(&named.path)
}
