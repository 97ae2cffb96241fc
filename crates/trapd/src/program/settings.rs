//! The settings of the program, from the configuration file and the command line.

use std::{
    io,
    net::{IpAddr, SocketAddr, ToSocketAddrs},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use portreeve_config::{
    Accept, Config, Handler, KeySource, Listener, NoFiles, ReceiverConfig, Sender, Services, SshWindow, User,
    load_receiver, parse_receiver,
};
use portreeve_crypto::{AuthProtocol, MasterKey, PrivProtocol, password_to_key};
use portreeve_lcd::Tables;
use portreeve_mib::{format::OutputFormat, names};
use portreeve_net_snmp_conf::{DiskFiles, Section, default_folders, read as read_conf, read_file};
use portreeve_smi::{EngineId, Oid, OidError, SecurityLevel, SecurityModel, TransportDomain};
use portreeve_snmp_apps::{NotificationActions, NotificationRule};
use portreeve_snmp_engine::senders::{SenderCredential, SenderRule, SenderSettings, SourcePrefix};

use super::arguments::Plan;
use crate::{
    DEFAULT_HANDLER_TIMEOUT, EngineUsers, HandlerAction, HandlerCommand, HandlerTable, LineFormat,
    NameResolver, OidPattern, SnmptrapdConf,
};

/// The settings of the program.
pub(crate) struct Settings {
    /// The configuration file.
    pub(crate) file: PathBuf,
    /// The listeners, users and credentials.
    pub(crate) shared: Config,
    pub(crate) rules: Vec<NotificationRule>,
    pub(crate) senders: Vec<SenderRule>,
    pub(crate) handlers: HandlerTable<TimedCommand>,
    /// The file of lines; `None` for standard output.
    pub(crate) log: Option<PathBuf>,
    pub(crate) json: Option<PathBuf>,
    /// True if notifications are also written to the journal of systemd.
    pub(crate) journal: bool,
    pub(crate) formats: LineFormats,
    pub(crate) values: OutputFormat,
    pub(crate) queue_octets: usize,
    /// The communities and users of `snmptrapd.conf`.
    pub(crate) classic: Option<SnmptrapdConf>,
}

/// The formats of lines; without one, the lines are those of snmptrapd.
#[derive(Clone, Default)]
pub(crate) struct LineFormats {
    /// The format of SNMPv1 traps.
    pub(crate) v1: Option<LineFormat>,
    /// The format of other notifications.
    pub(crate) v2: Option<LineFormat>,
}

/// The command of a handler, and the time after which it is killed.
#[derive(Clone)]
pub(crate) struct TimedCommand {
    pub(crate) command: Arc<HandlerCommand>,
    pub(crate) timeout: Duration,
}

impl Settings {
    /// Reads the configuration, and prints its warnings to stderr.
    pub(crate) fn load(plan: &Plan) -> Result<Self, String> {
        let is_classic = plan.classic_config.is_some() || (plan.is_classic && plan.config.is_none());
        let mut settings = if is_classic { Self::load_classic(plan)? } else { Self::load_file(plan)? };
        if !plan.addresses.is_empty() {
            settings.shared.listeners = listeners(&plan.addresses)?;
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
        if let Some(directory) = &plan.state_dir {
            settings.shared.agent.state_dir.clone_from(directory);
        }
        if settings.rules.is_empty() {
            let file = settings.file.display();
            eprintln!("{file}: warning: nothing is accepted: all notifications are refused");
        }
        Ok(settings)
    }

    fn load_file(plan: &Plan) -> Result<Self, String> {
        let file = plan.config.clone().unwrap_or_else(|| PathBuf::from(DEFAULT_CONFIG));
        let (config, warnings) = load_receiver(&file).map_err(|rejected| rejected.to_string())?;
        warnings.iter().for_each(|warning| eprintln!("{warning}"));
        let ReceiverConfig { mut shared, output, accept, senders, handlers } = config;
        let directory = file.parent().unwrap_or(Path::new("")).to_owned();
        let beside = |path: PathBuf| directory.join(path);
        shared.agent.state_dir = directory.join(&shared.agent.state_dir);
        let format = output.format.as_deref().map(LineFormat::parse).transpose();
        let format = format.map_err(|error| format!("{}: error: `format`: {error}", file.display()))?;
        Ok(Self {
            rules: accept.iter().flat_map(rules).collect(),
            senders: senders.iter().filter_map(|sender| sender_rule(sender, &shared.users)).collect(),
            handlers: handler_table(&handlers, &file)?,
            log: output.log.map(beside),
            json: output.json.map(beside),
            journal: output.journal,
            formats: LineFormats { v1: format.clone(), v2: format },
            values: plan.values,
            queue_octets: output.queue_octets,
            classic: None,
            shared,
            file,
        })
    }

    /// Reads `snmptrapd.conf`. As in Net-SNMP, a directive with an error is reported and omitted.
    fn load_classic(plan: &Plan) -> Result<Self, String> {
        let (file, entries) = match &plan.classic_config {
            Some(file) => {
                let entries = read_file(Section::SNMPTRAPD, file, &DiskFiles);
                (file.clone(), entries.map_err(|error| format!("{}: {error}", file.display()))?)
            }
            None => {
                let home = std::env::var_os("HOME").map(PathBuf::from);
                let folders = default_folders(home.as_deref());
                let entries = read_conf(Section::SNMPTRAPD, "snmptrapd", &folders, &DiskFiles);
                (PathBuf::from("snmptrapd.conf"), entries)
            }
        };
        let names = NameResolver { oid: &resolve, host: &resolve_host };
        let (classic, problems) = SnmptrapdConf::parse(entries, &names);
        problems.iter().for_each(|problem| eprintln!("{problem}"));
        let (config, _) = parse_receiver("", &file, &NoFiles).map_err(|rejected| rejected.to_string())?;
        let mut shared = config.shared;
        let addresses: Vec<_> = classic.listen_addresses.iter().map(|one| one.address.clone()).collect();
        if !addresses.is_empty() {
            shared.listeners = listeners(&addresses)?;
        }
        let mut values = plan.values;
        if let Some(letters) = &classic.output_options {
            values.apply(letters).map_err(|error| error.to_string())?;
        }
        let mut handlers = HandlerTable::default();
        for directive in &classic.handlers {
            match &directive.action {
                HandlerAction::Run(command) => handlers.add(
                    directive.pattern.clone(),
                    TimedCommand { command: Arc::new(command.clone()), timeout: DEFAULT_HANDLER_TIMEOUT },
                ),
                HandlerAction::Forward(_) => {
                    eprintln!("{}: warning: `forward` is not supported: omitted", directive.location);
                }
            }
        }
        let mut rules = classic.notification_rules();
        if classic.is_logging_disabled {
            rules.iter_mut().for_each(|rule| rule.actions.log = false);
        }
        Ok(Self {
            rules,
            senders: Vec::new(),
            handlers,
            log: None,
            json: None,
            journal: false,
            formats: LineFormats { v1: classic.format_v1.clone(), v2: classic.format_v2.clone() },
            values,
            queue_octets: config.output.queue_octets,
            classic: Some(classic),
            shared,
            file,
        })
    }

    /// Returns the tables of the engine `engine_id`. Deriving keys takes milliseconds.
    pub(crate) fn take_tables(&mut self, engine_id: EngineId) -> Tables {
        let mut tables = self.shared.tables(engine_id);
        if let Some(classic) = &self.classic {
            let EngineUsers { rows, sender_rules } = classic.engine_users(engine_id);
            rows.into_iter().for_each(|row| tables.insert(row));
            classic.community_rows().into_iter().for_each(|row| tables.insert(row));
            self.senders.extend(sender_rules);
        }
        tables
    }

    /// Returns whether `snmptrapd.conf` creates a user with this name.
    pub(crate) fn has_classic_user(&self, name: &str) -> bool {
        let classic = self.classic.as_ref();
        classic.is_some_and(|classic| classic.users.iter().any(|user| user.name == name.as_bytes()))
    }

    /// Returns whether the name stands for a community.
    pub(crate) fn is_community(&self, name: &str) -> bool {
        let is_same = |security_name: &[u8]| *security_name == *name.as_bytes();
        let tables = self.shared.tables(EngineId::LOCAL);
        let rows = self.classic.iter().flat_map(SnmptrapdConf::community_rows);
        tables.communities.iter().any(|row| is_same(&row.security_name))
            || rows.into_iter().any(|row| is_same(&row.security_name))
    }

    /// Returns the settings of the senders of SNMPv3 traps.
    pub(crate) fn take_senders(&mut self) -> SenderSettings {
        SenderSettings { rules: std::mem::take(&mut self.senders), ..SenderSettings::default() }
    }
}

/// Parses the addresses of the command line: `TRANSPORT:IP[:PORT]`.
fn listeners(addresses: &[String]) -> Result<Vec<Listener>, String> {
    addresses.iter().map(|text| listener(text).ok_or_else(|| invalid_address(text))).collect()
}

fn listener(text: &str) -> Option<Listener> {
    let is_bare = text.starts_with(['[', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
    let (word, place) = if is_bare { ("udp", text) } else { text.split_once(':')? };
    let (transport, port) = match word {
        "udp" | "udp6" => (TransportDomain::Udp, 162),
        "tcp" => (TransportDomain::Tcp, 162),
        "ssh" => (TransportDomain::Ssh, 5162),
        "tls" | "tlstcp" => (TransportDomain::Tls, 10_162),
        "dtls" | "dtlsudp" => (TransportDomain::Dtls, 10_162),
        _ => return None,
    };
    let bare = place.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')).unwrap_or(place);
    let address = match (place.parse::<SocketAddr>(), bare.parse::<IpAddr>(), place.parse::<u16>()) {
        (Ok(address), ..) => address,
        (_, Ok(address), _) => SocketAddr::new(address, port),
        // As for snmptrapd, a port alone means all IPv4 addresses.
        (_, _, Ok(port)) => SocketAddr::from(([0, 0, 0, 0], port)),
        _ => return None,
    };
    Some(Listener {
        transport,
        address,
        is_wildcard: false,
        services: Services { snmp: true, netconf: false },
        nodelay: true,
        window: SshWindow::default(),
        algorithms: portreeve_channel::SshAlgorithms::default(),
    })
}

fn invalid_address(text: &str) -> String {
    format!(
        "invalid address {}: expected TRANSPORT:IP[:PORT] with udp, tcp, ssh, tls or dtls, for example \
         udp:0.0.0.0:162",
        text.escape_debug()
    )
}

/// Returns the rules of an `[[accept]]`, one for each security model. Only SNMPv3 has levels.
fn rules(accept: &Accept) -> Vec<NotificationRule> {
    let models = [
        (SecurityModel::USM, accept.level),
        (SecurityModel::TSM, accept.level),
        (SecurityModel::SNMP_V1, SecurityLevel::NoAuthNoPriv),
        (SecurityModel::SNMP_V2C, SecurityLevel::NoAuthNoPriv),
    ];
    let chosen = models.into_iter().filter(|(model, _)| accept.model.is_none_or(|own| own == *model));
    chosen
        .map(|(model, min_level)| NotificationRule {
            security_model: Some(model),
            security_name: Some(accept.name.to_vec()),
            min_level,
            sources: prefixes(&accept.sources),
            subtree: accept.notifications.clone(),
            actions: NotificationActions {
                log: accept.log,
                execute: accept.execute,
                forward: accept.forward,
            },
        })
        .collect()
}

fn prefixes(networks: &[(IpAddr, u8)]) -> Vec<SourcePrefix> {
    networks.iter().filter_map(|(address, length)| SourcePrefix::new(*address, *length)).collect()
}

/// Returns the rule of a user on many senders. Deriving its keys takes milliseconds.
fn sender_rule(sender: &Sender, users: &[User]) -> Option<SenderRule> {
    let user = users.iter().find(|user| user.name == sender.user)?;
    let protocol = user.auth.as_ref().map(|(protocol, _)| *protocol);
    let auth = user.auth.as_ref().and_then(|(protocol, key)| {
        Some(SenderCredential::<AuthProtocol> { protocol: *protocol, key: master_key(*protocol, key)? })
    });
    let privacy = user.privacy.as_ref().zip(protocol).and_then(|((privacy, key), auth)| {
        Some(SenderCredential::<PrivProtocol> { protocol: *privacy, key: master_key(auth, key)? })
    });
    Some(SenderRule::new(&user.name, auth, privacy, prefixes(&sender.sources)))
}

fn master_key(protocol: AuthProtocol, key: &KeySource) -> Option<MasterKey> {
    match key {
        KeySource::PassPhrase(pass_phrase) => password_to_key(protocol, pass_phrase).ok(),
        KeySource::Localized(_) => None,
    }
}

fn handler_table(handlers: &[Handler], file: &Path) -> Result<HandlerTable<TimedCommand>, String> {
    let mut table = HandlerTable::default();
    for handler in handlers {
        let pattern = OidPattern::parse(&handler.notifications, resolve);
        let pattern =
            pattern.map_err(|error| format!("{}:{}: error: {error}", file.display(), handler.line))?;
        let Some((program, arguments)) = handler.command.split_first() else { continue };
        let command = HandlerCommand { program: program.into(), arguments: arguments.to_vec() };
        table.add(pattern, TimedCommand { command: Arc::new(command), timeout: handler.timeout });
    }
    Ok(table)
}

/// Returns the identifier of a number with dots, or of a name.
fn resolve(text: &str) -> Result<Oid, OidError> {
    let name = text.rsplit_once("::").map_or(text, |(_, name)| name);
    match names::object(name) {
        Some(object) => Oid::new(&object.oid()),
        None => text.strip_prefix('.').unwrap_or(text).parse(),
    }
}

fn resolve_host(name: &str) -> io::Result<Vec<IpAddr>> {
    Ok((name, 0).to_socket_addrs()?.map(|address| address.ip()).collect())
}

const DEFAULT_CONFIG: &str = "/etc/portreeve/portreeve-trapd.toml";
