//! The files that TLS is spoken with: read at the start, and again at every reload.

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

use portreeve_certificates::{Credentials, Trust};
use portreeve_channel::Fingerprint;
use portreeve_channel_tls::{SettingsError, TlsServer, Versions};
use portreeve_config::{FileAt, Tls, TlsVersions};
use portreeve_lcd::Tables;

/// What a TLS server presents, and whom it trusts, out of files that were found good.
pub(crate) struct TlsMaterial {
    credentials: Credentials,
    trust: Trust,
    versions: Versions,
    /// Where the key is named, for what only TLS itself can find wrong.
    key: PathBuf,
    line: usize,
}

impl TlsMaterial {
    /// Reads everything that `tls` names; relative paths start from the directory of `file`.
    ///
    /// # Errors
    /// Everything that is wrong with any of the files.
    pub(crate) fn load(tls: &Tls, file: &Path) -> Result<Self, Unusable> {
        let mut unusable = Unusable::new(file);
        let beside = file.parent().unwrap_or(Path::new(""));
        let path = |named: &FileAt| beside.join(&named.path);
        let mut trust = Trust::default();
        for named in &tls.authorities {
            unusable.note(named.line, trust.add_authorities(&path(named)));
        }
        for named in &tls.revocations {
            unusable.note(named.line, trust.add_revocations(&path(named)));
        }
        tls.pinned.iter().cloned().for_each(|pinned| trust.pin(pinned));
        let key = path(&tls.key);
        let credentials = Credentials::load(&path(&tls.certificate), &key);
        let line = match &credentials {
            Err(problem) if problem.path != key => tls.certificate.line,
            _ => tls.key.line,
        };
        let credentials = unusable.note(line, credentials);
        match credentials {
            Some(credentials) if unusable.is_empty() => {
                Ok(Self { credentials, trust, versions: versions(tls.versions), key, line })
            }
            _ => Err(unusable),
        }
    }

    /// Pins the certificates that rows of snmpTlstmCertToTSNTable name: whoever holds one needs no authority
    /// (RFC 6353 §7). The fingerprint of an authority among them is harmless, because it signs whom it wants anyway.
    pub(crate) fn pin_named(mut self, tables: &Tables) -> Self {
        for row in tables.cert_to_names.active() {
            if let Ok(fingerprint) = Fingerprint::from_octets(&row.fingerprint) {
                self.trust.pin(fingerprint);
            }
        }
        self
    }

    /// A server with it.
    ///
    /// # Errors
    /// When key and certificate do not belong together.
    pub(crate) fn serve(self, file: &Path) -> Result<Arc<TlsServer>, Unusable> {
        let server = TlsServer::new(&self.credentials, self.trust, self.versions);
        server.map(Arc::new).map_err(|error| Unusable::settings(file, self.line, &self.key, &error))
    }

    /// Puts it in the place of what `server` has; open sessions stay.
    ///
    /// # Errors
    /// As [`serve`](Self::serve), and nothing has changed.
    pub(crate) fn replace(self, server: &TlsServer, file: &Path) -> Result<(), Unusable> {
        let replaced = server.replace(&self.credentials, self.trust, self.versions);
        replaced.map_err(|error| Unusable::settings(file, self.line, &self.key, &error))
    }
}

fn versions(versions: TlsVersions) -> Versions {
    match versions {
        TlsVersions::From12 => Versions::From12,
        TlsVersions::Only13 => Versions::Only13,
        TlsVersions::Only12 => Versions::Only12,
    }
}

/// Files that the configuration names and nobody can use.
#[derive(Debug)]
pub(crate) struct Unusable {
    file: PathBuf,
    problems: Vec<(usize, String)>,
}

impl Unusable {
    fn settings(file: &Path, line: usize, key: &Path, error: &SettingsError) -> Self {
        Self { file: file.to_owned(), problems: vec![(line, format!("{}: {error}", key.display()))] }
    }

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
