//! A server to connect to, with everything that ssh_config and the client settings specify for it.

use std::{path::PathBuf, time::Duration};

use portreeve_channel::{AlgorithmList, ChannelError, ChannelStep, Cipher, KeyExchange};

use super::{
    known_hosts::{GLOBAL_FILES, HostName, KnownHosts, default_files},
    settings::ClientSettings,
    ssh_config::{
        ConfigError, DiskFiles, HostQuery, HostSettings, JumpHost, LoginMethod, Proxy, StrictHostKeyChecking,
    },
    tokens::{self, Tokens},
};
use crate::algorithms::preferred_ciphers;

/// A server to connect to, and the user to log in as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SshTarget {
    /// The name or address to connect to.
    pub host: String,
    /// The port to connect to.
    pub port: u16,
    /// The user name on the server.
    pub user: String,
    /// Private keys, in the order in which they are tried.
    pub identity_files: Vec<PathBuf>,
    /// Set if these keys were named explicitly; otherwise they are ssh's default files.
    pub has_named_identities: bool,
    /// Certificates of these keys, in addition to those next to the key files.
    pub certificate_files: Vec<PathBuf>,
    /// Does not offer other keys in ssh-agent.
    pub identities_only: bool,
    /// The path of the socket of ssh-agent.
    pub agent: Option<PathBuf>,
    /// Jump hosts, the nearest first.
    pub jump_hosts: Vec<JumpHost>,
    /// The name under which the server's host keys are listed.
    pub key_name: HostName,
    /// known_hosts files. New keys are added to the first.
    pub known_hosts: Vec<PathBuf>,
    /// The system-wide known_hosts files, which the client only reads.
    pub global_known_hosts: Vec<PathBuf>,
    /// The setting for unknown host keys.
    pub strict_host_key_checking: StrictHostKeyChecking,
    /// Hashes names that are added to known_hosts.
    pub hash_known_hosts: bool,
    /// Timeout of each step; `None` means none.
    pub timeout: Option<Duration>,
    /// Set if this is a jump host to another server.
    pub is_jump_host: bool,
    /// The login methods, in the order in which they are tried.
    pub methods: Vec<LoginMethod>,
    /// Set if the user may be asked for passwords and pass phrases.
    pub is_interactive: bool,
    /// Maximum number of attempts with a password or with answers.
    pub max_password_attempts: usize,
    /// The key exchanges to offer, the preferred one first.
    pub key_exchanges: AlgorithmList<KeyExchange>,
    /// The ciphers to offer, the preferred one first.
    pub ciphers: AlgorithmList<Cipher>,
}

impl SshTarget {
    /// Returns the target for a host as typed. A typed user and port override ssh_config. A port in
    /// ssh_config is used only if a block names this host literally and the port is not 22; any
    /// other port in ssh_config is the port of sshd.
    ///
    /// # Errors
    /// Fails if ssh_config contains an invalid or unsupported line for this host.
    pub fn look_up(
        host: &str,
        user: Option<&str>,
        port: Option<u16>,
        settings: &ClientSettings,
    ) -> Result<Self, ChannelError> {
        Self::look_up_from(host, user, port, Service::Subsystem, settings)
    }

    /// Returns the target for a jump host: an sshd, at its own port.
    pub(crate) fn for_jump_host(
        jump_host: &JumpHost,
        settings: &ClientSettings,
    ) -> Result<Self, ChannelError> {
        Self::look_up_from(
            &jump_host.host,
            jump_host.user.as_deref(),
            jump_host.port,
            Service::Sshd,
            settings,
        )
    }

    fn look_up_from(
        typed: &str,
        user: Option<&str>,
        port: Option<u16>,
        service: Service,
        settings: &ClientSettings,
    ) -> Result<Self, ChannelError> {
        let local = &settings.local;
        let query = HostQuery { host: typed, user, local };
        let found = HostSettings::read(query, &settings.config_files, &DiskFiles).map_err(config_error)?;
        let methods = found.methods();
        let host = match &found.host_name {
            Some(name) => {
                tokens::host_name(name, typed).map_err(|problem| value_error("HostName", &problem))?
            }
            None => typed.to_owned(),
        };
        let port = port.unwrap_or_else(|| match service {
            Service::Sshd => found.port.unwrap_or(SSH_PORT),
            Service::Subsystem => {
                found.own_port.filter(|port| *port != SSH_PORT).unwrap_or(settings.default_port)
            }
        });
        //= rfc5592#5.3-3a
        let user = user.map(str::to_owned).or(found.user).unwrap_or_else(|| local.user.clone());
        let key_name = match &found.host_key_alias {
            Some(alias) => HostName::alias(alias),
            None => HostName::new(&host, port),
        };
        let tokens =
            Tokens { local, alias: typed, host: &host, port, user: &user, key_name: key_name.host_part() };
        let paths = |keyword: &str, texts: &[String]| -> Result<Vec<PathBuf>, ChannelError> {
            let named = texts.iter().filter(|text| *text != "none");
            named.map(|text| tokens.path(text).map_err(|problem| value_error(keyword, &problem))).collect()
        };
        let mut identity_files = settings.identity_files.clone();
        identity_files.extend(paths("IdentityFile", &found.identity_files)?);
        let has_named_identities = !identity_files.is_empty() || !found.identity_files.is_empty();
        if !has_named_identities {
            identity_files.extend(DEFAULT_KEYS.map(|name| local.home.join(".ssh").join(name)));
        }
        let agent = match found.identity_agent.as_deref() {
            None | Some("SSH_AUTH_SOCK") => settings.agent.clone(),
            Some("none") => None,
            Some(text) => match text.strip_prefix('$').filter(|name| !name.starts_with('{')) {
                Some(variable) => std::env::var_os(variable).map(PathBuf::from),
                None => Some(tokens.path(text).map_err(|problem| value_error("IdentityAgent", &problem))?),
            },
        };
        let known_hosts = match (&settings.known_hosts, &found.user_known_hosts) {
            (Some(files), _) => files.clone(),
            (None, Some(files)) => paths("UserKnownHostsFile", files)?,
            (None, None) => default_files(&local.home),
        };
        let global_known_hosts = match (&settings.known_hosts, &found.global_known_hosts) {
            (Some(_), _) => Vec::new(),
            (None, Some(files)) => paths("GlobalKnownHostsFile", files)?,
            (None, None) => GLOBAL_FILES.map(PathBuf::from).to_vec(),
        };
        let key_exchanges = settings.key_exchanges.unwrap_or_else(|| {
            let all = AlgorithmList::all();
            found.key_exchanges.map_or(all, |preference| preference.apply_to(all))
        });
        let ciphers = preferred_ciphers();
        let ciphers = found.ciphers.map_or(ciphers, |preference| preference.apply_to(ciphers));
        let certificate_files = paths("CertificateFile", &found.certificate_files)?;
        Ok(Self {
            identity_files,
            has_named_identities,
            certificate_files,
            identities_only: found.identities_only.unwrap_or(false),
            agent,
            jump_hosts: jump_hosts(found.proxy, typed)?,
            known_hosts,
            global_known_hosts,
            strict_host_key_checking: if settings.known_hosts_only {
                StrictHostKeyChecking::Yes
            } else {
                found.strict_host_key_checking.unwrap_or_default()
            },
            hash_known_hosts: found.hash_known_hosts.unwrap_or(false),
            timeout: found.connect_timeout.unwrap_or(Some(settings.timeout)),
            is_jump_host: matches!(service, Service::Sshd),
            methods,
            is_interactive: !found.batch_mode.unwrap_or(false),
            max_password_attempts: found.password_prompts.unwrap_or(DEFAULT_PASSWORD_ATTEMPTS),
            key_exchanges,
            ciphers,
            key_name,
            host,
            port,
            user,
        })
    }

    /// Reads the known host keys from all files.
    ///
    /// # Errors
    /// Fails if an existing file cannot be read, because its revocations would be ignored.
    pub(crate) fn load_known_hosts(&self) -> Result<KnownHosts, ChannelError> {
        let mut known = KnownHosts::default();
        for file in self.known_hosts.iter().chain(&self.global_known_hosts) {
            let text = DiskFiles::known_hosts(file).map_err(|error| {
                ChannelError::at(ChannelStep::ServerIdentity, format!("{}: {error}", file.display()))
            })?;
            known.add_file(&self.key_name, file, text.as_deref().unwrap_or_default());
        }
        Ok(known)
    }

    /// Returns `host:port` for errors and facts.
    pub(crate) fn host_port(&self) -> String {
        if self.host.contains(':') {
            format!("[{}]:{}", self.host, self.port)
        } else {
            format!("{}:{}", self.host, self.port)
        }
    }
}

/// Default maximum number of password attempts: more than one, because users mistype passwords.
const DEFAULT_PASSWORD_ATTEMPTS: usize = 3;

/// The service to reach on a host.
#[derive(Clone, Copy)]
enum Service {
    /// The sshd that runs on a jump host.
    Sshd,
    /// The subsystem that the session uses.
    Subsystem,
}

fn jump_hosts(proxy: Option<Proxy>, typed: &str) -> Result<Vec<JumpHost>, ChannelError> {
    match proxy {
        None => Ok(Vec::new()),
        // A block for all hosts matches the jump host too, but a jump host is not reached through
        // itself.
        Some(Proxy::Jump(jump_hosts)) if jump_hosts.iter().any(|jump_host| jump_host.host == typed) => {
            Ok(Vec::new())
        }
        Some(Proxy::Jump(jump_hosts)) => Ok(jump_hosts),
        Some(Proxy::Command(location)) => {
            Err(ChannelError::at(ChannelStep::Connect, format!("{location}: ProxyCommand is not supported"))
                .with_hint("use ProxyJump HOST, or put ProxyJump none in a Host block before this line"))
        }
    }
}

fn config_error(error: ConfigError) -> ChannelError {
    ChannelError::at(ChannelStep::Resolve, error.to_string()).with_hint(match error.location.line {
        0 => "the file must be text, owned by you or root, and writable by its owner only: chmod go-w, chown",
        _ => "change the line, or move it into a Host block that does not match this host",
    })
}

fn value_error(keyword: &str, problem: &str) -> ChannelError {
    ChannelError::at(ChannelStep::Resolve, format!("ssh_config: {keyword}: {problem}"))
        .with_hint("correct the line in ~/.ssh/config")
}

const SSH_PORT: u16 = 22;

/// The default key files below `~/.ssh`, the strongest first.
const DEFAULT_KEYS: [&str; 3] = ["id_ed25519", "id_ecdsa", "id_rsa"];

#[cfg(test)]
mod tests;
