//! The files that TLS and DTLS are spoken with: read at the start, and again at every reload.

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

use portreeve_channel::Fingerprint;
use portreeve_channel_dtls::{self as dtls, DtlsServer};
use portreeve_channel_tls::{self as tls, TlsServer};
use portreeve_config::{FileAt, Tls, TlsVersions};
use portreeve_lcd::Handle;
use portreeve_x509::{Credentials, Trust};

/// What servers of TLS and DTLS present, and whom they trust, out of files that were found good.
pub(crate) struct TlsMaterial {
    stream: Identity,
    /// For DTLS, where a listener needs it.
    datagrams: Option<Identity>,
    versions: TlsVersions,
    /// Where the key is named, for what only the protocols themselves can find wrong.
    key: PathBuf,
    line: usize,
    file: PathBuf,
}

struct Identity {
    credentials: Credentials,
    trust: Trust,
}

/// The servers that one material is for.
#[derive(Clone)]
pub(crate) struct TlsServers {
    pub(crate) stream: Arc<TlsServer>,
    pub(crate) datagrams: Option<Arc<DtlsServer>>,
}

impl TlsMaterial {
    /// Reads everything that `tls` names, for DTLS too if `datagrams` says so; relative paths start from the directory of
    /// `file`.
    ///
    /// # Errors
    /// Everything that is wrong with any of the files.
    pub(crate) fn load(tls: &Tls, datagrams: bool, file: &Path) -> Result<Self, Unusable> {
        let stream = Identity::load(tls, file)?;
        let datagrams = datagrams.then(|| Identity::load(tls, file)).transpose()?;
        let key = beside(file, &tls.key);
        let (versions, line, file) = (tls.versions, tls.key.line, file.to_owned());
        Ok(Self { stream, datagrams, versions, key, line, file })
    }

    /// Pins the certificates that rows of snmpTlstmCertToTSNTable name, as they are at each handshake: whoever holds one
    /// needs no authority (RFC 6353 §7). The fingerprint of an authority among them is harmless, because it signs whom it
    /// wants anyway.
    pub(crate) fn pin_by_rows(mut self, lcd: &Handle) -> Self {
        for identity in [Some(&mut self.stream), self.datagrams.as_mut()].into_iter().flatten() {
            let lcd = lcd.clone();
            identity.trust.pin_by(move |certificate| {
                let snapshot = lcd.snapshot();
                let mut rows = snapshot.lcd.tables().cert_to_names.active();
                rows.any(|row| {
                    Fingerprint::from_octets(&row.fingerprint).is_ok_and(|named| certificate.has(&named))
                })
            });
        }
        self
    }

    /// Servers with it.
    ///
    /// # Errors
    /// When key and certificate do not belong together, or are of no use to a protocol.
    pub(crate) fn serve(self) -> Result<TlsServers, Unusable> {
        let (for_tls, for_dtls) = self.settings();
        let Self { stream, datagrams, key, line, file, .. } = self;
        let unusable = |error: &dyn fmt::Display| Unusable::at(&file, line, &key, error);
        let stream =
            TlsServer::new(&stream.credentials, stream.trust, for_tls).map_err(|error| unusable(&error))?;
        let datagrams = datagrams
            .map(|identity| DtlsServer::new(&identity.credentials, identity.trust, for_dtls))
            .transpose()
            .map_err(|error| unusable(&error))?;
        Ok(TlsServers { stream: Arc::new(stream), datagrams: datagrams.map(Arc::new) })
    }

    /// Puts it in the place of what `servers` have; open sessions stay.
    ///
    /// # Errors
    /// As [`serve`](Self::serve), and nothing has changed.
    pub(crate) fn replace(self, servers: &TlsServers) -> Result<(), Unusable> {
        let (for_tls, for_dtls) = self.settings();
        let Self { stream, datagrams, key, line, file, .. } = self;
        let unusable = |error: &dyn fmt::Display| Unusable::at(&file, line, &key, error);
        // The pickier one first, so that either both change or none.
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

impl Identity {
    fn load(tls: &Tls, file: &Path) -> Result<Self, Unusable> {
        let mut unusable = Unusable::new(file);
        let mut trust = Trust::default();
        for named in &tls.authorities {
            unusable.note(named.line, trust.add_authorities(&beside(file, named)));
        }
        for named in &tls.revocations {
            unusable.note(named.line, trust.add_revocations(&beside(file, named)));
        }
        tls.pinned.iter().cloned().for_each(|pinned| trust.pin(pinned));
        let key = beside(file, &tls.key);
        let credentials = Credentials::load(&beside(file, &tls.certificate), &key);
        let line = match &credentials {
            Err(problem) if problem.path != key => tls.certificate.line,
            _ => tls.key.line,
        };
        match unusable.note(line, credentials) {
            Some(credentials) if unusable.is_empty() => Ok(Self { credentials, trust }),
            _ => Err(unusable),
        }
    }
}

/// Files that the configuration names and nobody can use.
#[derive(Debug)]
pub(crate) struct Unusable {
    file: PathBuf,
    problems: Vec<(usize, String)>,
}

impl Unusable {
    /// Nothing wrong so far with what `file` names.
    pub(crate) fn new(file: &Path) -> Self {
        Self { file: file.to_owned(), problems: Vec::new() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.problems.is_empty()
    }

    pub(crate) fn note<T, E: fmt::Display>(&mut self, line: usize, result: Result<T, E>) -> Option<T> {
        result.map_err(|problem| self.problems.push((line, problem.to_string()))).ok()
    }

    /// The problems of both, in the order of lines.
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.problems.extend(other.problems);
        self.problems.sort_by_key(|(line, _)| *line);
        self
    }

    fn at(file: &Path, line: usize, named: &Path, error: &dyn fmt::Display) -> Self {
        Self { file: file.to_owned(), problems: vec![(line, format!("{}: {error}", named.display()))] }
    }
}

impl fmt::Display for Unusable {
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

fn beside(file: &Path, named: &FileAt) -> PathBuf {
    file.parent().unwrap_or(Path::new("")).join(&named.path)
}
