//! ssh_config: what the user has already told ssh about a host.
//!
//! ```text
//! ~/.ssh/config, /etc/ssh/ssh_config ─▶ words ─▶ directives ─▶ those for this host ─▶ HostSettings
//! ```
//! The first value given wins, files of identities add up, as ssh_config(5) has it. Keywords that do not concern us are
//! passed over, known or not: this is ssh's file, and ssh says what is wrong with the rest. What we cannot follow and
//! would change where or how we connect is refused: `Match exec` and its like, and `ProxyCommand`.

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

/// What ssh_config says about one host. Paths and names are as written there, tokens included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostSettings {
    /// The name to connect to.
    pub host_name: Option<String>,
    /// The port.
    pub port: Option<u16>,
    /// The port in a block that names the host itself, and does not merely mean it too.
    pub own_port: Option<u16>,
    /// The user to log in as.
    pub user: Option<String>,
    /// Private keys, in their order.
    pub identity_files: Vec<String>,
    /// Certificates of such keys.
    pub certificate_files: Vec<String>,
    /// Whether only keys named here are offered, and no other of the agent's.
    pub identities_only: Option<bool>,
    /// The agent's socket: a path, `SSH_AUTH_SOCK`, `$VARIABLE` or `none`.
    pub identity_agent: Option<String>,
    /// The way there.
    pub proxy: Option<Proxy>,
    /// Files of host keys, the first of which is added to.
    pub user_known_hosts: Option<Vec<String>>,
    /// Files of host keys that are only read.
    pub global_known_hosts: Option<Vec<String>>,
    /// What to do with unknown servers.
    pub strict_host_key_checking: Option<StrictHostKeyChecking>,
    /// The name under which the host's keys are known.
    pub host_key_alias: Option<String>,
    /// Whether names are hashed when they are added to known_hosts.
    pub hash_known_hosts: Option<bool>,
    /// How long connecting may take; `Some(None)` is for ever.
    pub connect_timeout: Option<Option<Duration>>,
    /// Whether nobody is asked for anything.
    pub batch_mode: Option<bool>,
    /// Whether keys are offered.
    pub public_key: Option<bool>,
    /// Whether questions are answered.
    pub keyboard_interactive: Option<bool>,
    /// Whether a password is given.
    pub password: Option<bool>,
    /// In which order, and no other ways.
    pub preferred_methods: Option<Vec<LoginMethod>>,
    /// How often a password is asked for.
    pub password_prompts: Option<usize>,
    /// Which key exchanges are offered.
    pub key_exchanges: Option<AlgorithmPreference<KeyExchange>>,
    /// Which ciphers are offered.
    pub ciphers: Option<AlgorithmPreference<Cipher>>,
}

impl HostSettings {
    /// The ways to log in, in their order.
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

/// How a host is reached, where not directly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proxy {
    /// Through these hosts, the nearest first; none of them says: directly.
    Jump(Vec<JumpHost>),
    /// Through a program, which is not supported.
    Command(FileLocation),
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileLocation {
    /// The file.
    pub file: PathBuf,
    /// Counted from 1; 0 for the file as a whole.
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

/// A line that cannot be read or followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// Where.
    pub location: FileLocation,
    /// What is wrong with it.
    pub problem: String,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.location, self.problem)
    }
}

impl std::error::Error for ConfigError {}

/// Whom the settings are for.
#[derive(Clone, Copy, Debug)]
pub struct HostQuery<'q> {
    /// The host as it was typed.
    pub host: &'q str,
    /// The user, where one was typed.
    pub user: Option<&'q str>,
    /// Who asks.
    pub local: &'q LocalUser,
}

impl HostSettings {
    /// What `files`, read in this order, say. A file that does not exist says nothing.
    ///
    /// # Errors
    /// At the first line that cannot be read or followed.
    pub fn read(
        query: HostQuery<'_>,
        files: &[PathBuf],
        disk: &dyn ConfigFiles,
    ) -> Result<Self, ConfigError> {
        let mut reading = ConfigReader {
            query,
            disk,
            found: Self::default(),
            host: query.host.to_owned(),
            second_pass: None,
            lines_left: MAX_LINES,
        };
        reading.read_files(files)?;
        if reading.second_pass == Some(false) {
            reading.second_pass = Some(true);
            reading.host = reading.final_host();
            reading.read_files(files)?;
        }
        Ok(reading.found)
    }

    /// Takes a value where there is none yet.
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
            Setting::ProxyJump(hops) => first(&mut self.proxy, Proxy::Jump(hops)),
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

/// Reading in progress.
struct ConfigReader<'q> {
    query: HostQuery<'q>,
    disk: &'q dyn ConfigFiles,
    found: HostSettings,
    /// The name that `Host` compares with.
    host: String,
    /// Whether this is the second pass, with the final name; `Some(false)` where the first has found that one is asked for.
    second_pass: Option<bool>,
    /// Lines that may still be read.
    lines_left: usize,
}

impl ConfigReader<'_> {
    fn read_files(&mut self, files: &[PathBuf]) -> Result<(), ConfigError> {
        self.lines_left = MAX_LINES;
        files.iter().try_for_each(|file| self.read_file(file, false, 0))
    }

    /// `named`: a block that names the host includes the file.
    fn read_file(&mut self, file: &Path, named: bool, depth: usize) -> Result<(), ConfigError> {
        let config_error = |line, problem: String| ConfigError {
            location: FileLocation { file: file.to_owned(), line },
            problem,
        };
        let text = match self.disk.read(file) {
            Ok(Some(text)) => text,
            Ok(None) => return Ok(()),
            // As ssh has it: somebody else's file keeps nobody from connecting.
            Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => return Ok(()),
            Err(error) => return Err(config_error(0, error.to_string())),
        };
        let (mut active, mut named) = (true, named);
        for (line, number) in text.lines().zip(1..) {
            self.lines_left = self.lines_left.checked_sub(1).ok_or_else(|| {
                config_error(number, format!("more than {MAX_LINES} lines, files included"))
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
                            format!("files include each other {MAX_DEPTH} deep"),
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

    /// Whether all conditions hold. What we cannot evaluate matters only where the conditions before it hold.
    fn matches(&mut self, criteria: &[Criterion]) -> Result<bool, String> {
        let mut holds = true;
        for Criterion { negated, test } in criteria {
            let local = self.query.local;
            let user = self.query.user.or(self.found.user.as_deref()).unwrap_or(&local.user);
            let holds_here = match test {
                Condition::All => true,
                Condition::Final { requests_second_pass: asks } => {
                    if *asks {
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
                        "match {name} is not supported; all, host, originalhost, user, localuser and final are"
                    ));
                }
                Condition::Unsupported(_) => false,
            };
            holds &= holds_here != *negated;
        }
        Ok(holds)
    }

    /// Whether one of the conditions is the host's own name.
    fn is_named_by(&self, criteria: &[Criterion]) -> bool {
        criteria.iter().any(|Criterion { negated, test }| match test {
            Condition::Host(patterns) => !negated && patterns.contains_literal(&self.final_host()),
            Condition::OriginalHost(patterns) => !negated && patterns.contains_literal(self.query.host),
            _ => false,
        })
    }

    /// The name to connect to, as far as it is known by now.
    fn final_host(&self) -> String {
        match &self.found.host_name {
            Some(name) => super::tokens::host_name(name, self.query.host).unwrap_or_else(|_| name.clone()),
            None => self.host.clone(),
        }
    }
}

/// What ssh does, as far as we can.
const DEFAULT_METHODS: [LoginMethod; 3] =
    [LoginMethod::PublicKey, LoginMethod::KeyboardInteractive, LoginMethod::Password];

/// As deep as ssh goes.
const MAX_DEPTH: usize = 16;

/// Lines of all files together: more than any configuration has, and few enough for files that include each other.
const MAX_LINES: usize = 100_000;

#[cfg(test)]
mod tests;
