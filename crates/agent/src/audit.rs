//! Lists the access rights that a configuration and the rows made by SET grant. Also lists the
//! weaknesses of the configuration, of these rows, and of the files that the configuration refers
//! to. Does not change anything and does not print secrets.
//!
//! ```text
//! file ──▶ Config ─┐
//! state ───────────┴─▶ Tables ─▶ grants: name, authentication, transports, level, views
//! keys, certificates ──────────▶ findings: weakness, location, hint
//! ```

mod auth_methods;
pub(crate) mod data;
mod findings;
mod grants;
mod netconf;
pub(crate) mod print;
mod targets;
mod views;

use std::path::{Path, PathBuf};

use portreeve_config::{Config, Problem};
use portreeve_lcd::{Lcd, assemble};
use portreeve_smi::{EngineId, TransportDomain};
use portreeve_store::Store;

use crate::error::CommandError;
use findings::{Finding, Severity};
use grants::Grant;
use netconf::NetconfUser;
use targets::Target;

pub(crate) use findings::FindingKind;

/// The result of an audit.
pub(crate) struct Audit {
    pub(crate) file: PathBuf,
    pub(crate) listeners: Vec<ListenAddress>,
    pub(crate) grants: Vec<Grant>,
    /// View names, each with its subtree families.
    pub(crate) views: Vec<(String, Vec<String>)>,
    /// The rights over NETCONF; `None` if it is not offered.
    pub(crate) netconf: Option<Vec<NetconfUser>>,
    pub(crate) targets: Vec<Target>,
    /// Ordered by severity; accepted findings last.
    pub(crate) findings: Vec<Finding>,
    /// Values of `--allow` that match no finding.
    pub(crate) unused_acceptances: Vec<String>,
}

/// An address that the agent listens on.
pub(crate) struct ListenAddress {
    pub(crate) transport: TransportDomain,
    pub(crate) address: String,
}

/// The input of the audit.
struct AuditInput<'a> {
    file: &'a Path,
    config: &'a Config,
    warnings: &'a [Problem],
    lcd: &'a Lcd,
    engine_id: EngineId,
}

impl Audit {
    /// Audits the configuration `path` and everything that it refers to. Findings that match
    /// `accepted` do not count as weak.
    ///
    /// # Errors
    /// If the file is invalid or the state cannot be read.
    pub(crate) fn run(path: &Path, accepted: &[String]) -> Result<Self, CommandError> {
        let loaded = portreeve_config::load(path).map_err(CommandError::new)?;
        let directory = path.parent().unwrap_or(Path::new(""));
        let store = Store::open_read_only(&directory.join(&loaded.config.agent.state_dir))
            .map_err(CommandError::new)?;
        // Before the first start there may be no engine ID. A placeholder suffices then: all users
        // are defined in the configuration file, and the audit does not check their keys.
        let engine_id = loaded.config.agent.engine_id.or(store.engine_id()).unwrap_or(EngineId::LOCAL);
        let assembled = assemble(loaded.config.tables(engine_id), store.iter(b""));
        let lcd = Lcd::compile(assembled.tables);
        let input = AuditInput {
            file: path,
            config: &loaded.config,
            warnings: &loaded.warnings,
            lcd: &lcd,
            engine_id,
        };
        let grants = grants::all(&input);
        let listeners = input.config.listeners.iter().map(|listener| ListenAddress {
            transport: listener.transport,
            address: listener.address.to_string(),
        });
        let relays = input.config.relays.iter().map(|relay| ListenAddress {
            transport: TransportDomain::Unix,
            address: directory.join(&relay.path).display().to_string(),
        });
        let mut findings = findings::all(&input, &grants);
        for finding in &mut findings {
            finding.is_accepted = accepted.iter().any(|acceptance| finding.matches(acceptance));
        }
        // The sort is stable, so that findings stay ordered by severity.
        findings.sort_by_key(|finding| finding.is_accepted);
        let is_unused = |acceptance: &&String| !findings.iter().any(|finding| finding.matches(acceptance));
        Ok(Self {
            file: path.to_owned(),
            listeners: listeners.chain(relays).collect(),
            views: views::all(&lcd),
            netconf: netconf::all(&input),
            targets: targets::all(&input),
            unused_acceptances: accepted.iter().filter(is_unused).cloned().collect(),
            findings,
            grants,
        })
    }

    /// Returns true if there is a weakness that was not accepted.
    pub(crate) fn is_weak(&self) -> bool {
        self.findings.iter().any(|finding| finding.severity > Severity::Note && !finding.is_accepted)
    }
}

impl AuditInput<'_> {
    /// Formats a line of the configuration file.
    fn location(&self, line: usize) -> String {
        match line {
            0 => self.file.display().to_string(),
            line => format!("{}:{line}", self.file.display()),
        }
    }

    /// Resolves a path from the configuration file's directory.
    fn resolve(&self, named: &Path) -> PathBuf {
        self.file.parent().unwrap_or(Path::new("")).join(named)
    }

    fn listens(&self, transport: TransportDomain) -> bool {
        self.config.listeners.iter().any(|listener| listener.transport == transport)
    }
}

/// Returns true if the transport sends messages unencrypted.
pub(crate) fn is_cleartext(transport: TransportDomain) -> bool {
    matches!(transport, TransportDomain::Udp | TransportDomain::Tcp)
}

/// Returns the name of a transport. A Unix socket is reported as `sshd`, because the agent uses one
/// only to receive sessions from sshd.
pub(crate) fn transport_name(transport: TransportDomain) -> String {
    match transport {
        TransportDomain::Unix => "sshd".to_owned(),
        other => other.to_string(),
    }
}

/// Returns a name with terminal control characters escaped.
fn display_escaped(name: &[u8]) -> String {
    String::from_utf8_lossy(name).escape_debug().to_string()
}
