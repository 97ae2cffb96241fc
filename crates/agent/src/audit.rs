//! Looks at a configuration, at what SETs have left, and at the files that both rest on: who may do what, and what is weak
//! about it. Changes nothing, and shows no secret.
//!
//! ```text
//! file ──▶ Config ─┐
//! state ───────────┴─▶ Tables ─▶ grants: who, proven how, over what, at which level, to which views
//! keys, certificates ──────────▶ findings: what is weak, where, and what to do
//! ```

pub(crate) mod data;
mod findings;
mod grants;
pub(crate) mod print;
mod proofs;
mod targets;
mod views;

use std::path::{Path, PathBuf};

use portreeve_config::{Config, Problem};
use portreeve_lcd::{Lcd, assemble};
use portreeve_smi::{EngineId, TransportDomain};
use portreeve_store::Store;

use crate::failure::Failure;
use findings::{Finding, Weight};
use grants::Grant;
use targets::Target;

pub(crate) use findings::Kind;

/// Everything that was found.
pub(crate) struct Audit {
    pub(crate) file: PathBuf,
    pub(crate) listeners: Vec<Listening>,
    pub(crate) grants: Vec<Grant>,
    /// Names of views, and what is in them.
    pub(crate) views: Vec<(String, Vec<String>)>,
    pub(crate) targets: Vec<Target>,
    /// The gravest first; those that were accepted last.
    pub(crate) findings: Vec<Finding>,
    /// Acceptances that no finding was meant by.
    pub(crate) idle: Vec<String>,
}

/// Where the agent listens.
pub(crate) struct Listening {
    pub(crate) transport: TransportDomain,
    pub(crate) address: String,
}

/// What is looked at.
struct Evidence<'a> {
    file: &'a Path,
    config: &'a Config,
    warnings: &'a [Problem],
    lcd: &'a Lcd,
    engine_id: EngineId,
}

impl Audit {
    /// Looks at everything that `path` names. What `accepted` means is no reason to fail.
    ///
    /// # Errors
    /// When the file cannot be used, or the state cannot be read.
    pub(crate) fn of(path: &Path, accepted: &[String]) -> Result<Self, Failure> {
        let loaded = portreeve_config::load(path).map_err(Failure::new)?;
        let beside = path.parent().unwrap_or(Path::new(""));
        let store = Store::look(&beside.join(&loaded.config.agent.state_dir)).map_err(Failure::new)?;
        // Without a start there are no users but the file's, whose keys are not looked at.
        let engine_id = loaded.config.agent.engine_id.or(store.engine_id()).unwrap_or(EngineId::LOCAL);
        let assembled = assemble(loaded.config.tables(engine_id), store.iter(b""));
        let lcd = Lcd::compile(assembled.tables);
        let evidence =
            Evidence { file: path, config: &loaded.config, warnings: &loaded.warnings, lcd: &lcd, engine_id };
        let grants = grants::all(&evidence);
        let listeners = evidence.config.listeners.iter().map(|listener| Listening {
            transport: listener.transport,
            address: listener.address.to_string(),
        });
        let relays = evidence.config.relays.iter().map(|relay| Listening {
            transport: TransportDomain::Unix,
            address: beside.join(&relay.path).display().to_string(),
        });
        let mut findings = findings::all(&evidence, &grants);
        for finding in &mut findings {
            finding.is_accepted = accepted.iter().any(|acceptance| finding.is_meant_by(acceptance));
        }
        // Stable: among themselves they stay as they are.
        findings.sort_by_key(|finding| finding.is_accepted);
        let is_idle = |acceptance: &&String| !findings.iter().any(|finding| finding.is_meant_by(acceptance));
        Ok(Self {
            file: path.to_owned(),
            listeners: listeners.chain(relays).collect(),
            views: views::all(&lcd),
            targets: targets::all(&evidence),
            idle: accepted.iter().filter(is_idle).cloned().collect(),
            findings,
            grants,
        })
    }

    /// Whether anything is weak that was not accepted.
    pub(crate) fn is_weak(&self) -> bool {
        self.findings.iter().any(|finding| finding.weight > Weight::Note && !finding.is_accepted)
    }
}

impl Evidence<'_> {
    /// A place in the file.
    fn place(&self, line: usize) -> String {
        match line {
            0 => self.file.display().to_string(),
            line => format!("{}:{line}", self.file.display()),
        }
    }

    /// A file that the configuration names.
    fn beside(&self, named: &Path) -> PathBuf {
        self.file.parent().unwrap_or(Path::new("")).join(named)
    }

    fn listens(&self, transport: TransportDomain) -> bool {
        self.config.listeners.iter().any(|listener| listener.transport == transport)
    }
}

/// Whether what goes over it can be read on the way.
pub(crate) fn is_clear(transport: TransportDomain) -> bool {
    matches!(transport, TransportDomain::Udp | TransportDomain::Tcp)
}

/// What a transport is called: the only socket of this machine's own is the one behind sshd.
pub(crate) fn word(transport: TransportDomain) -> String {
    match transport {
        TransportDomain::Unix => "sshd".to_owned(),
        other => other.to_string(),
    }
}

/// A name for people: text, with what steers a terminal escaped.
fn shown(name: &[u8]) -> String {
    String::from_utf8_lossy(name).escape_debug().to_string()
}
