//! Reads ssh_config, the user's existing ssh settings for a host.
//!
//! ```text
//! ~/.ssh/config, /etc/ssh/ssh_config ─▶ words ─▶ directives ─▶ those for this host ─▶ HostSettings
//! ```
//! As in ssh_config(5), the first value wins and identity files accumulate. Irrelevant or unknown
//! keywords are ignored: the file belongs to ssh, which reports errors in such lines. Directives
//! that would change the connection but are not supported are rejected: `Match exec` and similar
//! conditions, and `ProxyCommand`.

mod directive;
mod files;
mod jump;
mod preference;
mod words;

use std::{
    fmt,
    path::{Path, PathBuf},
    time::Duration,
};

use portreeve_channel::{Cipher, KeyExchange};

use self::directive::{Condition, Criterion, Directive, Setting, parse_directive};
pub use self::{
    directive::{LoginMethod, StrictHostKeyChecking},
    files::{ConfigFiles, DiskFiles},
    jump::JumpHost,
    preference::AlgorithmPreference,
};
use super::local::LocalUser;

/// The ssh_config settings for one host. Paths and names are as written, with unexpanded tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostSettings {
    /// The host name or address to connect to.
    pub host_name: Option<String>,
    /// The port to connect to.
    pub port: Option<u16>,
    /// The port from a block that names this host literally, not by a wildcard.
    pub own_port: Option<u16>,
    /// The user to log in as.
    pub user: Option<String>,
    /// The private key files, in the order in which they are tried.
    pub identity_files: Vec<String>,
    /// Certificates of these keys.
    pub certificate_files: Vec<String>,
    /// Offers only the specified keys, and no other keys in ssh-agent.
    pub identities_only: Option<bool>,
    /// The socket of ssh-agent: a path, `SSH_AUTH_SOCK`, `$VARIABLE` or `none`.
    pub identity_agent: Option<String>,
    /// The jump hosts, or a proxy command.
    pub proxy: Option<Proxy>,
    /// Files of host keys. New keys are added to the first.
    pub user_known_hosts: Option<Vec<String>>,
    /// The known_hosts files that the client only reads.
    pub global_known_hosts: Option<Vec<String>>,
    /// The setting for servers whose host key is unknown.
    pub strict_host_key_checking: Option<StrictHostKeyChecking>,
    /// The name under which the host's keys are listed.
    pub host_key_alias: Option<String>,
    /// Hashes names that are added to known_hosts.
    pub hash_known_hosts: Option<bool>,
    /// Connect timeout; `Some(None)` means none.
    pub connect_timeout: Option<Option<Duration>>,
    /// If true, the client never asks the user.
    pub batch_mode: Option<bool>,
    /// If false, the client does not log in with keys.
    pub public_key: Option<bool>,
    /// If false, the client does not log in with keyboard-interactive.
    pub keyboard_interactive: Option<bool>,
    /// If false, the client does not log in with passwords.
    pub password: Option<bool>,
    /// The methods to try, in order; all others are disabled.
    pub preferred_methods: Option<Vec<LoginMethod>>,
    /// Number of times to ask for a password.
    pub password_prompts: Option<usize>,
    /// The key exchange algorithms to offer.
    pub key_exchanges: Option<AlgorithmPreference<KeyExchange>>,
    /// The ciphers to offer.
    pub ciphers: Option<AlgorithmPreference<Cipher>>,
}

impl HostSettings {
    /// Returns the login methods, in order.
    pub fn methods(&self) -> Vec<LoginMethod> {
        let mut methods = self.preferred_methods.clone().unwrap_or_else(|| DEFAULT_METHODS.to_vec());
        methods.retain(|method| {
            let switch = match method {
                LoginMethod::PublicKey => self.public_key,
                LoginMethod::KeyboardInteractive => self.keyboard_interactive,
                LoginMethod::Password => self.password,
            };
            switch.unwrap_or(true)
        });
        methods
    }
}

/// An indirect way to reach a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proxy {
    /// Through these hosts, the nearest first. An empty list means a direct connection.
    Jump(Vec<JumpHost>),
    /// Through a program, which is not supported.
    Command(FileLocation),
}

/// The place of a line in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileLocation {
    /// The path of the file.
    pub file: PathBuf,
    /// Line number from 1; 0 means the whole file.
    pub line: usize,
}

impl fmt::Display for FileLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}", self.file.display()),
            line => write!(f, "{}:{line}", self.file.display()),
        }
    }
}

/// Error for an invalid or unsupported line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The file and the line number.
    pub location: FileLocation,
    /// A description of the problem.
    pub problem: String,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.location, self.problem)
    }
}

impl std::error::Error for ConfigError {}

/// The host that settings are read for.
#[derive(Clone, Copy, Debug)]
pub struct HostQuery<'q> {
    /// The host name as the user has typed it.
    pub host: &'q str,
    /// The user name, if the user has typed one.
    pub user: Option<&'q str>,
    /// The local user.
    pub local: &'q LocalUser,
}

impl HostSettings {
    /// Reads the settings from `files`, in this order. Missing files are skipped.
    ///
    /// # Errors
    /// Returns the first line that is invalid or unsupported.
    pub fn read(
        query: HostQuery<'_>,
        files: &[PathBuf],
        disk: &dyn ConfigFiles,
    ) -> Result<Self, ConfigError> {
        let mut reader = ConfigReader {
            query,
            disk,
            found: Self::default(),
            host: query.host.to_owned(),
            second_pass: None,
            lines_left: MAX_LINES,
        };
        reader.read_files(files)?;
        if reader.second_pass == Some(false) {
            reader.second_pass = Some(true);
            reader.host = reader.final_host();
            reader.read_files(files)?;
        }
        Ok(reader.found)
    }

    /// Stores a value, unless it is set already. `named` means that the block names the host
    /// literally.
    fn set(&mut self, setting: Setting, named: bool, location: &FileLocation) {
        fn first<T>(slot: &mut Option<T>, value: T) {
            slot.get_or_insert(value);
        }
        fn add(slot: &mut Vec<String>, value: String) {
            if !slot.contains(&value) {
                slot.push(value);
            }
        }
        match setting {
            Setting::HostName(name) => first(&mut self.host_name, name),
            Setting::Port(port) => {
                first(&mut self.port, port);
                if named {
                    first(&mut self.own_port, port);
                }
            }
            Setting::User(user) => first(&mut self.user, user),
            Setting::IdentityFile(file) => add(&mut self.identity_files, file),
            Setting::CertificateFile(file) => add(&mut self.certificate_files, file),
            Setting::IdentitiesOnly(only) => first(&mut self.identities_only, only),
            Setting::IdentityAgent(agent) => first(&mut self.identity_agent, agent),
            Setting::ProxyJump(jump_hosts) => first(&mut self.proxy, Proxy::Jump(jump_hosts)),
            Setting::ProxyCommand => first(&mut self.proxy, Proxy::Command(location.clone())),
            Setting::UserKnownHostsFile(files) => first(&mut self.user_known_hosts, files),
            Setting::GlobalKnownHostsFile(files) => first(&mut self.global_known_hosts, files),
            Setting::StrictHostKeyChecking(strict) => first(&mut self.strict_host_key_checking, strict),
            Setting::HostKeyAlias(alias) => first(&mut self.host_key_alias, alias),
            Setting::HashKnownHosts(hash) => first(&mut self.hash_known_hosts, hash),
            Setting::ConnectTimeout(timeout) => first(&mut self.connect_timeout, timeout),
            Setting::BatchMode(batch) => first(&mut self.batch_mode, batch),
            Setting::PubkeyAuthentication(keys) => first(&mut self.public_key, keys),
            Setting::KbdInteractiveAuthentication(answers) => {
                first(&mut self.keyboard_interactive, answers);
            }
            Setting::PasswordAuthentication(password) => first(&mut self.password, password),
            Setting::PreferredAuthentications(methods) => first(&mut self.preferred_methods, methods),
            Setting::NumberOfPasswordPrompts(prompts) => first(&mut self.password_prompts, prompts),
            Setting::KexAlgorithms(preference) => first(&mut self.key_exchanges, preference),
            Setting::Ciphers(preference) => first(&mut self.ciphers, preference),
        }
    }
}

/// Reads the settings of one host, and counts the lines that may still be read.
struct ConfigReader<'q> {
    query: HostQuery<'q>,
    disk: &'q dyn ConfigFiles,
    found: HostSettings,
    /// The name that `Host` is compared with.
    host: String,
    /// `None` at first, `Some(false)` once the first pass has found a condition that needs a second
    /// pass, `Some(true)` during the second pass, which uses the final host name.
    second_pass: Option<bool>,
    /// Remaining number of lines that may be read.
    lines_left: usize,
}

impl ConfigReader<'_> {
    fn read_files(&mut self, files: &[PathBuf]) -> Result<(), ConfigError> {
        self.lines_left = MAX_LINES;
        files.iter().try_for_each(|file| self.read_file(file, false, 0))
    }

    /// Reads a file. `named` means that it is included in a block that names the host literally.
    fn read_file(&mut self, file: &Path, named: bool, depth: usize) -> Result<(), ConfigError> {
        let config_error = |line, problem: String| ConfigError {
            location: FileLocation { file: file.to_owned(), line },
            problem,
        };
        let text = match self.disk.read(file) {
            Ok(Some(text)) => text,
            Ok(None) => return Ok(()),
            // As in OpenSSH, an unreadable file of another user does not prevent a connection.
            Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => return Ok(()),
            Err(error) => return Err(config_error(0, error.to_string())),
        };
        let (mut active, mut named) = (true, named);
        for (line, number) in text.lines().zip(1..) {
            self.lines_left = self.lines_left.checked_sub(1).ok_or_else(|| {
                config_error(number, format!("more than {MAX_LINES} lines, including included files"))
            })?;
            let Some(directive) = parse_directive(line).map_err(|problem| config_error(number, problem))?
            else {
                continue;
            };
            match directive {
                Directive::Host(patterns) => {
                    active = patterns.matches(&self.host);
                    named = patterns.contains_literal(&self.host);
                }
                Directive::Match(criteria) => {
                    active = self.matches(&criteria).map_err(|problem| config_error(number, problem))?;
                    named = self.is_named_by(&criteria);
                }
                Directive::Include(patterns) if active => {
                    if depth == MAX_DEPTH {
                        return Err(config_error(
                            number,
                            format!("includes are nested more than {MAX_DEPTH} levels deep"),
                        ));
                    }
                    for pattern in patterns {
                        let included = self.disk.included(&pattern, file, self.query.local);
                        for path in included.map_err(|error| config_error(number, error.to_string()))? {
                            self.read_file(&path, named, depth + 1)?;
                        }
                    }
                }
                Directive::Set(setting) if active => {
                    self.found.set(setting, named, &FileLocation { file: file.to_owned(), line: number });
                }
                Directive::Include(_) | Directive::Set(_) => {}
            }
        }
        Ok(())
    }

    /// Returns true if all conditions hold. An unsupported condition is an error only if all
    /// conditions before it hold.
    fn matches(&mut self, criteria: &[Criterion]) -> Result<bool, String> {
        let mut holds = true;
        for Criterion { negated, test } in criteria {
            let local = self.query.local;
            let user = self.query.user.or(self.found.user.as_deref()).unwrap_or(&local.user);
            let holds_here = match test {
                Condition::All => true,
                Condition::Final { requests_second_pass } => {
                    if *requests_second_pass {
                        self.second_pass.get_or_insert(false);
                    }
                    self.second_pass == Some(true)
                }
                Condition::Host(patterns) => patterns.matches(&self.final_host()),
                Condition::OriginalHost(patterns) => patterns.matches(self.query.host),
                Condition::User(patterns) => patterns.matches(user),
                Condition::LocalUser(patterns) => patterns.matches(&local.user),
                Condition::Unsupported(name) if holds => {
                    return Err(format!(
                        "match {name} is not supported; supported: all, host, originalhost, user, localuser, final"
                    ));
                }
                Condition::Unsupported(_) => false,
            };
            holds &= holds_here != *negated;
        }
        Ok(holds)
    }

    /// Returns true if one of the conditions is the host's literal name.
    fn is_named_by(&self, criteria: &[Criterion]) -> bool {
        criteria.iter().any(|Criterion { negated, test }| match test {
            Condition::Host(patterns) => !negated && patterns.contains_literal(&self.final_host()),
            Condition::OriginalHost(patterns) => !negated && patterns.contains_literal(self.query.host),
            _ => false,
        })
    }

    /// Returns the name to connect to, as known so far.
    fn final_host(&self) -> String {
        match &self.found.host_name {
            Some(name) => super::tokens::host_name(name, self.query.host).unwrap_or_else(|_| name.clone()),
            None => self.host.clone(),
        }
    }
}

/// The default methods of ssh, as far as they are supported.
const DEFAULT_METHODS: [LoginMethod; 3] =
    [LoginMethod::PublicKey, LoginMethod::KeyboardInteractive, LoginMethod::Password];

/// Maximum include depth, as in OpenSSH.
const MAX_DEPTH: usize = 16;

/// Maximum number of lines in all files together: more than any real configuration contains; stops
/// files that include each other.
const MAX_LINES: usize = 100_000;

#[cfg(test)]
mod tests;
