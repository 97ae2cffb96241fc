//! The settings of the program, from the configuration file and the command line.

mod address;
mod certificates;
mod classic;
mod file;
mod forward;
mod forward_loop;
mod names;
mod programs;

use std::{
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use portreeve_config::{Config, Forward, Listener};
use portreeve_crypto::{AuthProtocol, PrivProtocol};
use portreeve_lcd::{CommunityRow, Tables};
use portreeve_mib::format::OutputFormat;
use portreeve_smi::{EngineId, Oid, SecurityLevel, TransportDomain};
use portreeve_snmp_apps::NotificationRule;
use portreeve_snmp_engine::senders::{SenderRule, SenderSettings};

use super::arguments::Plan;
use crate::{EngineUsers, HandlerCommand, HandlerTable, LineFormat, SnmptrapdConf};
pub(crate) use forward::Destination;

/// The settings of the program.
pub(crate) struct Settings {
    /// The configuration file.
    pub(crate) file: PathBuf,
    /// The listeners, users and credentials.
    pub(crate) shared: Config,
    pub(crate) rules: Vec<NotificationRule>,
    senders: Vec<SenderRule>,
    pub(crate) actions: HandlerTable<Action>,
    /// The targets of `[[forward]]`.
    forwards: Vec<Forward>,
    /// The destinations of `forward` in `snmptrapd.conf`.
    classic_destinations: Vec<Destination>,
    /// The file of lines; `None` for standard output.
    pub(crate) log: Option<PathBuf>,
    pub(crate) json: Option<PathBuf>,
    /// The socket of the journal of systemd.
    pub(crate) journal: Option<PathBuf>,
    pub(crate) formats: LineFormats,
    pub(crate) values: OutputFormat,
    /// True if authenticationFailure is not logged.
    pub(crate) ignores_authentication_failures: bool,
    pub(crate) queue_octets: usize,
    /// The number of directives of `snmptrapd.conf` that are invalid and have been omitted.
    pub(crate) invalid_directives: usize,
    /// The communities and users of `snmptrapd.conf`.
    classic: Option<SnmptrapdConf>,
}

/// The formats of lines; without one, the lines are those of snmptrapd.
#[derive(Clone, Default)]
pub(crate) struct LineFormats {
    /// The format of SNMPv1 traps.
    pub(crate) v1: Option<LineFormat>,
    /// The format of other notifications.
    pub(crate) v2: Option<LineFormat>,
}

/// The action that a handler table selects.
pub(crate) enum Action {
    Run(TimedCommand),
    /// Forwards the notification to the destination with this number.
    Forward(usize),
}

/// The command of a handler, its input, and the time after which it is killed.
pub(crate) struct TimedCommand {
    pub(crate) command: Arc<HandlerCommand>,
    pub(crate) input: InputForm,
    pub(crate) timeout: Duration,
}

/// The form of the standard input of a handler.
#[derive(Clone, Copy)]
pub(crate) enum InputForm {
    /// The lines of Net-SNMP.
    NetSnmp,
    /// The same, but with one line for each variable.
    Lines,
    /// A line with a JSON object.
    Json,
}

/// The notifications that are forwarded to one destination.
pub(crate) struct ForwardRule {
    /// The subtrees of which one must contain the snmpTrapOID; empty for all notifications.
    pub(crate) subtrees: Vec<Oid>,
    /// The number of the destination.
    pub(crate) destination: usize,
}

impl Settings {
    /// Reads the configuration, and prints its warnings to stderr.
    pub(crate) fn load(plan: &Plan) -> Result<Self, String> {
        let is_classic = plan.classic_config.is_some() || (plan.is_classic && plan.config.is_none());
        let mut settings = if is_classic { Self::load_classic(plan)? } else { Self::load_file(plan)? };
        if !plan.addresses.is_empty() {
            settings.shared.listeners = address::listeners(&plan.addresses)?;
        }
        if let Some(format) = plan.format.as_deref() {
            let format = LineFormat::parse(format).map_err(|error| error.to_string())?;
            settings.formats = LineFormats { v1: Some(format.clone()), v2: Some(format) };
        }
        match &plan.log {
            Some(stdout) if stdout.as_os_str().is_empty() => settings.log = None,
            Some(path) => settings.log = Some(path.clone()),
            None => {}
        }
        settings.json = plan.json.clone().or(settings.json);
        settings.check_outputs()?;
        if let Some(directory) = &plan.state_dir {
            settings.shared.agent.state_dir.clone_from(directory);
        }
        let needs_tls =
            |listener: &Listener| matches!(listener.transport, TransportDomain::Tls | TransportDomain::Dtls);
        if let Some(classic) = &settings.classic
            && settings.shared.listeners.iter().any(needs_tls)
        {
            settings.shared.tls = Some(certificates::tls(&classic.tls, &settings.file)?);
        }
        settings.check_credentials()?;
        settings.check_forward_loops()?;
        settings.classic.iter().for_each(programs::warn);
        if settings.rules.is_empty() {
            let file = settings.file.display();
            eprintln!("{file}: warning: nothing is accepted: all notifications are refused");
        }
        Ok(settings)
    }

    /// Checks that the lines and JSON have a file each. Otherwise none could remove its last lines.
    fn check_outputs(&self) -> Result<(), String> {
        match (&self.log, &self.json) {
            (Some(log), Some(json)) if is_same_file(log, json) => Err(format!(
                "{}: `log` and `json` are the same file {}\nhint: use a file for each",
                self.file.display(),
                json.display()
            )),
            _ => Ok(()),
        }
    }

    /// Checks that there are keys for the listeners, which may come from the command line.
    fn check_credentials(&self) -> Result<(), String> {
        for Listener { transport, address, .. } in &self.shared.listeners {
            let (is_complete, hint) = match transport {
                TransportDomain::Ssh if self.classic.is_some() => (
                    self.shared.ssh.is_some(),
                    "snmptrapd.conf has no directives for SSH: use a portreeve-trapd.toml with [ssh]",
                ),
                TransportDomain::Ssh => (self.shared.ssh.is_some(), "add [ssh] to the file"),
                TransportDomain::Tls | TransportDomain::Dtls => {
                    (self.shared.tls.is_some(), "add [tls] to the file")
                }
                _ => (true, ""),
            };
            if !is_complete {
                let file = self.file.display();
                return Err(format!(
                    "{file}: cannot listen on {transport}:{address} without keys\nhint: {hint}"
                ));
            }
        }
        Ok(())
    }

    /// Returns the tables of the engine `engine_id`. Deriving keys takes milliseconds.
    pub(crate) fn take_tables(&mut self, engine_id: EngineId) -> Tables {
        let mut tables = self.shared.tables(engine_id);
        if let Some(classic) = &self.classic {
            let EngineUsers { rows, sender_rules } = classic.engine_users(engine_id);
            rows.into_iter().for_each(|row| tables.insert(row));
            classic.community_rows().into_iter().for_each(|row| tables.insert(row));
            classic.tls.rows().into_iter().for_each(|row| tables.insert(row));
            self.senders.extend(sender_rules);
        }
        tables
    }

    /// Returns the settings of the senders of SNMPv3 traps.
    pub(crate) fn take_senders(&mut self) -> SenderSettings {
        SenderSettings { rules: std::mem::take(&mut self.senders), ..SenderSettings::default() }
    }

    /// Returns the destinations of forwarded notifications, and the rules of those that
    /// [`Self::actions`] does not select.
    pub(crate) fn take_destinations(&mut self) -> (Vec<Destination>, Vec<ForwardRule>) {
        let mut destinations = std::mem::take(&mut self.classic_destinations);
        let mut rules = Vec::new();
        for forward in std::mem::take(&mut self.forwards) {
            rules.push(ForwardRule {
                subtrees: forward.notifications.clone(),
                destination: destinations.len(),
            });
            destinations.push(Destination::of(forward, &self.shared, &self.file));
        }
        (destinations, rules)
    }

    /// Returns the users with a name. `snmptrapd.conf` can have several, on different engines.
    pub(crate) fn users(&self, name: &str) -> Vec<UserProtocols> {
        let classic = self.classic.iter().flat_map(|classic| &classic.users);
        let classic = classic.map(|user| {
            let auth = user.auth.as_ref().map(|(protocol, _)| *protocol);
            let privacy = user.privacy.as_ref().map(|(protocol, _)| *protocol);
            (user.name.as_slice(), UserProtocols { engine_id: user.engine_id, auth, privacy })
        });
        let own = self.shared.users.iter().map(|user| {
            let auth = user.auth.as_ref().map(|(protocol, _)| *protocol);
            let privacy = user.privacy.as_ref().map(|(protocol, _)| *protocol);
            (&*user.name, UserProtocols { engine_id: None, auth, privacy })
        });
        let all = classic.chain(own).filter(|(own, _)| *own == name.as_bytes());
        all.map(|(_, protocols)| protocols).collect()
    }

    /// Returns the names of all users, and those that stand for communities.
    pub(crate) fn principals(&self) -> Vec<String> {
        let classic = self.classic.iter().flat_map(|classic| &classic.users).map(|user| user.name.clone());
        let own = self.shared.users.iter().map(|user| user.name.to_vec());
        let communities = self.communities().into_iter().map(|row| row.security_name.to_vec());
        let names = classic.chain(own).chain(communities);
        names.map(|name| String::from_utf8_lossy(&name).into_owned()).collect()
    }

    /// Returns whether the name stands for a community.
    pub(crate) fn is_community(&self, name: &str) -> bool {
        self.communities().iter().any(|row| *row.security_name == *name.as_bytes())
    }

    fn communities(&self) -> Vec<Arc<CommunityRow>> {
        let mut tables = self.shared.tables(EngineId::LOCAL);
        let classic = self.classic.iter().flat_map(SnmptrapdConf::community_rows);
        classic.for_each(|row| tables.insert(row));
        tables.communities.iter().cloned().collect()
    }
}

/// Returns whether two paths are those of one regular file, which need not exist. Others, such as
/// `/dev/null`, can be used twice.
fn is_same_file(one: &Path, other: &Path) -> bool {
    match (fs::metadata(one), fs::metadata(other)) {
        (Ok(one), Ok(other)) => one.is_file() && (one.dev(), one.ino()) == (other.dev(), other.ino()),
        _ => one == other,
    }
}

/// The protocols of a user.
pub(crate) struct UserProtocols {
    /// The engine of the user, which sends traps; without one, the user can send informs.
    pub(crate) engine_id: Option<EngineId>,
    pub(crate) auth: Option<AuthProtocol>,
    pub(crate) privacy: Option<PrivProtocol>,
}

impl UserProtocols {
    /// Returns the highest security level that the protocols allow.
    pub(crate) fn level(&self) -> SecurityLevel {
        match (self.auth, self.privacy) {
            (None, _) => SecurityLevel::NoAuthNoPriv,
            (Some(_), None) => SecurityLevel::AuthNoPriv,
            (Some(_), Some(_)) => SecurityLevel::AuthPriv,
        }
    }
}
