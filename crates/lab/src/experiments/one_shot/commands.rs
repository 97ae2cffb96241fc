//! Whole commands, from the start of the process to its end: ours and Net-SNMP's.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use portreeve_broker_protocol::SocketPath;
use portreeve_lab_report::sample::Variant;

use super::variants::Work;
use crate::client::{Carrier, CredentialsFile, Message, ProtocolStack};
use crate::error::{Context, Result};
use crate::harness::{Peer, Skipped};
use crate::peers::{OURS, Site, Sites, net_snmp};
use crate::process::own_program;

/// Adds the commands that the installed programs allow.
pub(super) fn add(sites: &mut Sites<Work>) -> Result<()> {
    for (agent, words_of) in [(OURS, with_ours as WordsOf), (Peer::NetSnmp.name(), with_net_snmp)] {
        let Some(site) = sites.get(agent) else { continue };
        let (environment, directory) = (environment(site)?, site.directory().to_owned());
        let commands: Vec<_> = STACKS.into_iter().flat_map(|stack| words_of(site, stack)).collect();
        for (stack, client, words) in commands {
            let variant = Variant::of([("agent", agent), ("client", client)]).and("stack", stack.id());
            let (environment, session) =
                (environment.clone(), CommandSession::new(&directory, client, stack));
            sites.push(variant, words.map(|words| Work::Command { words, environment, session }));
        }
    }
    Ok(())
}

/// The session of a command. The runtime directory, in which a session broker listens, belongs to
/// one variant: in a shared one, every command would use the session that `--persist` keeps open.
pub(super) struct CommandSession {
    runtime: PathBuf,
    is_kept: bool,
}

impl CommandSession {
    fn new(directory: &Path, client: &str, stack: ProtocolStack) -> Self {
        let is_kept = client == PERSISTENT;
        // Short, because the path of a socket has at most 107 octets.
        let kind = if is_kept { "kept" } else { "own" };
        Self { runtime: directory.join(format!("{kind}-{}", stack.id().replace('/', "-"))), is_kept }
    }

    /// Creates the runtime directory; returns its variable in the environment.
    pub(super) fn variable(&self) -> Result<(String, String)> {
        create_private(&self.runtime)?;
        Ok(("XDG_RUNTIME_DIR".to_owned(), self.runtime.display().to_string()))
    }

    /// Checks after the commands that a broker keeps their session open, or that none does.
    pub(super) fn check(&self) -> std::result::Result<(), Skipped> {
        let socket = SocketPath::at(self.runtime.join("portreeve")).socket();
        match (socket.exists(), self.is_kept) {
            (false, true) => Err(Skipped("no session broker keeps the session of the command open".into())),
            (true, false) => Err(Skipped(
                "a session broker keeps the session of the command open without --persist".into(),
            )),
            _ => Ok(()),
        }
    }
}

/// A stack, the name of a command in variants, and its words or the reason why it cannot be
/// measured.
type Words = (ProtocolStack, &'static str, std::result::Result<Vec<String>, Skipped>);

type WordsOf = fn(&Site, ProtocolStack) -> Vec<Words>;

/// Returns our commands that query our agent.
fn with_ours(site: &Site, stack: ProtocolStack) -> Vec<Words> {
    if !is_chosen_by_command(stack) {
        return Vec::new();
    }
    let mut commands = vec![(stack, COMMAND, portreeve(site.credentials(), stack, &[]))];
    if stack.carrier.is_secure() {
        commands.push((stack, PERSISTENT, portreeve(site.credentials(), stack, &["--persist", "60s"])));
    }
    commands
}

/// Returns snmpget, and our command, that query Net-SNMP's agent.
fn with_net_snmp(site: &Site, stack: ProtocolStack) -> Vec<Words> {
    if net_snmp::check(stack).is_err() {
        return Vec::new();
    }
    vec![
        (stack, SNMPGET, net_snmp::command("snmpget", stack, site.credentials(), NAME)),
        (stack, COMMAND, portreeve(site.credentials(), stack, &[])),
    ]
}

/// Returns true if our command negotiates this stack with our agent: it chooses the latest version.
pub(super) fn is_chosen_by_command(stack: ProtocolStack) -> bool {
    stack.carrier != Carrier::Dtls12
}

/// Returns the words of `portreeve get`.
fn portreeve(
    file: &CredentialsFile,
    stack: ProtocolStack,
    options: &[&str],
) -> std::result::Result<Vec<String>, Skipped> {
    let program = own_program("portreeve")?;
    if stack.carrier.is_secure() {
        own_program("portreeve-broker")?;
    }
    let mut words = vec![program.display().to_string(), "get".into()];
    words.extend(options.iter().map(|option| (*option).to_owned()));
    let session = |scheme: &str, address: &str| {
        ["--server-name".into(), "localhost".into(), format!("{scheme}://{address}")]
    };
    let clear = |scheme: &str| Ok::<_, Skipped>(format!("{scheme}:{}", file.get(&scheme.to_uppercase())?));
    match stack.message {
        Message::V1 => words.extend(["-v1".into(), "-c".into(), file.get("RO")?.into()]),
        Message::V2c => words.extend(["-v2c".into(), "-c".into(), file.get("RO")?.into()]),
        Message::Usm(auth, privacy) => words.extend(file.user(auth, privacy)?.options()),
        Message::Tsm => {}
    }
    match stack.carrier {
        Carrier::Udp => words.push(clear("udp")?),
        Carrier::Tcp => words.push(clear("tcp")?),
        Carrier::Ssh => words.push(format!("ssh://{}@{}", file.get("SSH_USER")?, file.get("SSH")?)),
        Carrier::Tls => words.extend(session("tls", file.get("TLS")?)),
        // The command tries DTLS 1.3 first, and uses 1.2 with agents that do not support it.
        Carrier::Dtls13 | Carrier::Dtls12 => words.extend(session("dtls", file.get("DTLS")?)),
        _ => return Err(Skipped("the command chooses the algorithms itself".into())),
    }
    words.push(NAME.into());
    Ok(words)
}

/// Returns the environment of a user who has only the agent's credentials.
fn environment(site: &Site) -> Result<Vec<(String, String)>> {
    let home = site.directory().join("home");
    create_private(&home)?;
    let mut environment = vec![
        ("HOME".to_owned(), home.display().to_string()),
        ("SSH_AUTH_SOCK".to_owned(), String::new()),
        ("MIBS".to_owned(), String::new()),
    ];
    for name in ["SSH_KEY", "KNOWN_HOSTS", "TLS_CERT", "TLS_KEY", "TLS_CA"] {
        if let Some(value) = site.credentials().find(name) {
            environment.push((format!("PORTREEVE_{name}"), value.to_owned()));
        }
    }
    Ok(environment)
}

/// Creates a directory that only its owner can use.
fn create_private(directory: &Path) -> Result<()> {
    fs::create_dir_all(directory).context(directory.display())?;
    fs::set_permissions(directory, fs::Permissions::from_mode(0o700)).context(directory.display())
}

/// The stacks of the commands, with the settings that users have.
pub(super) const STACKS: [ProtocolStack; 8] = [
    ProtocolStack::v2c(Carrier::Udp),
    ProtocolStack::v2c(Carrier::Tcp),
    ProtocolStack::new(Message::USM_SHA256_AES128, Carrier::Udp),
    ProtocolStack::new(Message::USM_SHA256_AES128, Carrier::Tcp),
    ProtocolStack::tsm(Carrier::Ssh),
    ProtocolStack::tsm(Carrier::Tls),
    ProtocolStack::tsm(Carrier::Dtls12),
    ProtocolStack::tsm(Carrier::Dtls13),
];

/// `portreeve get`.
pub(super) const COMMAND: &str = "portreeve get";
/// `portreeve get --persist`, whose session the broker keeps open.
pub(super) const PERSISTENT: &str = "portreeve get --persist";
/// Net-SNMP's command.
pub(super) const SNMPGET: &str = "snmpget";
const NAME: &str = ".1.3.6.1.2.1.1.1.0";

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn commands_share_no_runtime_directory() {
        let clients = [COMMAND, PERSISTENT];
        let all = clients.iter().flat_map(|client| STACKS.map(|stack| (*client, stack)));
        let directories: HashSet<PathBuf> = all
            .map(|(client, stack)| CommandSession::new(Path::new("/tmp"), client, stack).runtime)
            .collect();
        assert_eq!(directories.len(), clients.len() * STACKS.len());
    }

    #[test]
    fn broker_is_allowed_only_for_the_command_that_keeps_its_session() {
        let directory = tempfile::tempdir().unwrap();
        let of = |client| CommandSession::new(directory.path(), client, ProtocolStack::tsm(Carrier::Ssh));
        let listen = |session: &CommandSession| {
            let (_, runtime) = session.variable().ok().unwrap();
            fs::create_dir(Path::new(&runtime).join("portreeve")).unwrap();
            fs::write(Path::new(&runtime).join("portreeve/broker"), "").unwrap();
        };
        assert!(of(COMMAND).check().is_ok());
        assert!(of(PERSISTENT).check().is_err());
        listen(&of(PERSISTENT));
        assert!(of(PERSISTENT).check().is_ok());
        assert!(of(COMMAND).check().is_ok());
        listen(&of(COMMAND));
        assert!(of(COMMAND).check().is_err());
    }
}
