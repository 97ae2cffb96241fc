//! Parses the relevant lines of ssh_config and validates their values.

use std::time::Duration;

use portreeve_channel::{Cipher, KeyExchange};

use super::{
    jump::{JumpHost, parse_jump_hosts, parse_port},
    preference::AlgorithmPreference,
    words::{Words, parse_words},
};
use crate::client::pattern::PatternList;

/// A parsed line of ssh_config.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Directive {
    /// Starts a block for these hosts.
    Host(PatternList),
    /// Starts a block for hosts that meet all conditions.
    Match(Vec<Criterion>),
    /// Includes other files here.
    Include(Vec<String>),
    /// Sets a value.
    Set(Setting),
}

/// A condition of `Match`, possibly negated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Criterion {
    pub(crate) negated: bool,
    pub(crate) test: Condition,
}

/// The kind of a condition, with the values that it is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    All,
    /// True only in the second pass, with the final host name. `final` requests that pass,
    /// `canonical` does not.
    Final {
        requests_second_pass: bool,
    },
    Host(PatternList),
    OriginalHost(PatternList),
    User(PatternList),
    LocalUser(PatternList),
    /// An unsupported condition, with its name.
    Unsupported(String),
}

/// A keyword with its value. Paths and names are as written, with unexpanded tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Setting {
    HostName(String),
    Port(u16),
    User(String),
    IdentityFile(String),
    CertificateFile(String),
    IdentitiesOnly(bool),
    IdentityAgent(String),
    ProxyJump(Vec<JumpHost>),
    /// `ProxyCommand` other than `none`, which is not supported.
    ProxyCommand,
    UserKnownHostsFile(Vec<String>),
    GlobalKnownHostsFile(Vec<String>),
    StrictHostKeyChecking(StrictHostKeyChecking),
    HostKeyAlias(String),
    HashKnownHosts(bool),
    ConnectTimeout(Option<Duration>),
    BatchMode(bool),
    PubkeyAuthentication(bool),
    KbdInteractiveAuthentication(bool),
    PasswordAuthentication(bool),
    PreferredAuthentications(Vec<LoginMethod>),
    NumberOfPasswordPrompts(usize),
    KexAlgorithms(AlgorithmPreference<KeyExchange>),
    Ciphers(AlgorithmPreference<Cipher>),
}

/// A login method (RFC 4252).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoginMethod {
    /// Log in with a key or a certificate.
    PublicKey,
    /// With answers to the server's questions.
    KeyboardInteractive,
    /// Log in with a password.
    Password,
}

/// Handling of servers with unknown keys. A changed key is always rejected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StrictHostKeyChecking {
    /// Reject the key.
    Yes,
    /// Ask the user, and reject the key if the user cannot be asked.
    #[default]
    Ask,
    /// Accept the key and add it to known_hosts. `no` has the same effect here: in OpenSSH, `no`
    /// accepts even changed keys, which is unsafe for a management tool.
    AcceptNew,
}

/// Parses a line. Returns `None` for an empty line, a comment or an irrelevant keyword.
pub(crate) fn parse_directive(line: &str) -> Result<Option<Directive>, String> {
    let Some(Words { keyword, arguments }) = parse_words(line)? else { return Ok(None) };
    let first = arguments.first().map(String::as_str);
    let text =
        || first.filter(|text| !text.is_empty()).map(str::to_owned).ok_or_else(|| missing_value(&keyword));
    let list = || if first.is_some() { Ok(arguments.clone()) } else { Err(missing_value(&keyword)) };
    let flag = || match first {
        Some("yes" | "true") => Ok(true),
        Some("no" | "false") => Ok(false),
        _ => Err(format!("invalid {keyword}: expected yes or no")),
    };
    let setting = match keyword.as_str() {
        "host" => return Ok(Some(Directive::Host(PatternList::new(list()?.iter().map(String::as_str))))),
        "match" => return parse_criteria(&list()?).map(|criteria| Some(Directive::Match(criteria))),
        "include" => return Ok(Some(Directive::Include(list()?))),
        "hostname" => Setting::HostName(text()?),
        "port" => {
            Setting::Port(parse_port(&text()?).ok_or("invalid port: expected a number from 1 to 65535")?)
        }
        "user" => Setting::User(text()?),
        "identityfile" => Setting::IdentityFile(text()?),
        "certificatefile" => Setting::CertificateFile(text()?),
        "identitiesonly" => Setting::IdentitiesOnly(flag()?),
        "identityagent" => Setting::IdentityAgent(text()?),
        "proxyjump" if text()?.eq_ignore_ascii_case("none") => Setting::ProxyJump(Vec::new()),
        "proxyjump" => Setting::ProxyJump(parse_jump_hosts(&text()?)?),
        "proxycommand" if text()?.eq_ignore_ascii_case("none") => Setting::ProxyJump(Vec::new()),
        "proxycommand" => Setting::ProxyCommand,
        "userknownhostsfile" => Setting::UserKnownHostsFile(list()?),
        "globalknownhostsfile" => Setting::GlobalKnownHostsFile(list()?),
        "stricthostkeychecking" => Setting::StrictHostKeyChecking(parse_strictness(first)?),
        "hostkeyalias" => Setting::HostKeyAlias(text()?),
        "hashknownhosts" => Setting::HashKnownHosts(flag()?),
        "connecttimeout" if first == Some("none") => Setting::ConnectTimeout(None),
        "connecttimeout" => Setting::ConnectTimeout(
            parse_time_span(&text()?)
                .ok_or("invalid connecttimeout: expected seconds, a time span such as 1m30s, or none")?,
        ),
        "batchmode" => Setting::BatchMode(flag()?),
        // The protocol variants of public key authentication are not distinguished here.
        "pubkeyauthentication" if matches!(first, Some("unbound" | "host-bound")) => {
            Setting::PubkeyAuthentication(true)
        }
        "pubkeyauthentication" => Setting::PubkeyAuthentication(flag()?),
        "kbdinteractiveauthentication" | "challengeresponseauthentication" => {
            Setting::KbdInteractiveAuthentication(flag()?)
        }
        "passwordauthentication" => Setting::PasswordAuthentication(flag()?),
        "preferredauthentications" => Setting::PreferredAuthentications(parse_methods(&text()?)),
        "numberofpasswordprompts" => Setting::NumberOfPasswordPrompts(
            text()?.parse().map_err(|_| "invalid numberofpasswordprompts: expected a number")?,
        ),
        "kexalgorithms" => Setting::KexAlgorithms(AlgorithmPreference::parse(&keyword, &text()?)?),
        "ciphers" => Setting::Ciphers(AlgorithmPreference::parse(&keyword, &text()?)?),
        _ => return Ok(None),
    };
    Ok(Some(Directive::Set(setting)))
}

fn missing_value(keyword: &str) -> String {
    format!("{keyword} has no value")
}

/// Returns the supported methods, in order.
fn parse_methods(list: &str) -> Vec<LoginMethod> {
    let known = list.split(',').filter_map(|name| match name.trim() {
        "publickey" => Some(LoginMethod::PublicKey),
        "keyboard-interactive" => Some(LoginMethod::KeyboardInteractive),
        "password" => Some(LoginMethod::Password),
        _ => None,
    });
    known.collect()
}

fn parse_strictness(word: Option<&str>) -> Result<StrictHostKeyChecking, String> {
    match word {
        Some("yes" | "true") => Ok(StrictHostKeyChecking::Yes),
        Some("ask") => Ok(StrictHostKeyChecking::Ask),
        Some("accept-new" | "no" | "false" | "off") => Ok(StrictHostKeyChecking::AcceptNew),
        _ => Err("invalid stricthostkeychecking: expected yes, ask, accept-new or no".into()),
    }
}

fn parse_criteria(words: &[String]) -> Result<Vec<Criterion>, String> {
    let mut found = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let (word, attached) = match word.split_once('=') {
            Some((word, value)) => (word, Some(value)),
            None => (word.as_str(), None),
        };
        let without_sign = word.strip_prefix('!');
        let name = without_sign.unwrap_or(word).to_ascii_lowercase();
        let mut value = || {
            let value = attached.or_else(|| words.next().map(String::as_str));
            value.ok_or_else(|| format!("match {name} has no value"))
        };
        let test = match name.as_str() {
            "all" => Condition::All,
            "final" => Condition::Final { requests_second_pass: true },
            "canonical" => Condition::Final { requests_second_pass: false },
            "host" => Condition::Host(PatternList::from_commas(value()?)),
            "originalhost" => Condition::OriginalHost(PatternList::from_commas(value()?)),
            "user" => Condition::User(PatternList::from_commas(value()?)),
            "localuser" => Condition::LocalUser(PatternList::from_commas(value()?)),
            "exec" | "localnetwork" | "tagged" | "command" | "version" | "sessiontype" => {
                value()?;
                Condition::Unsupported(name)
            }
            _ => return Err(format!("unknown match condition {name:?}")),
        };
        found.push(Criterion { negated: without_sign.is_some(), test });
    }
    Ok(found)
}

/// Parses seconds, or numbers with units: `90`, `1m30s`, `2h`. Returns `Some(None)` for 0, which
/// means no limit.
fn parse_time_span(text: &str) -> Option<Option<Duration>> {
    let mut total: u64 = 0;
    let mut number: Option<u64> = None;
    for character in text.chars() {
        if let Some(digit) = character.to_digit(10) {
            number = Some(number.unwrap_or(0).checked_mul(10)?.checked_add(u64::from(digit))?);
            continue;
        }
        let unit = match character.to_ascii_lowercase() {
            's' => 1,
            'm' => 60,
            'h' => 60 * 60,
            'd' => 24 * 60 * 60,
            'w' => 7 * 24 * 60 * 60,
            _ => return None,
        };
        total = total.checked_add(number.take()?.checked_mul(unit)?)?;
    }
    total = total.checked_add(number.unwrap_or(0))?;
    if text.is_empty() || total > MAX_SPAN {
        return None;
    }
    Some((total > 0).then(|| Duration::from_secs(total)))
}

/// Maximum number of seconds, as in OpenSSH.
const MAX_SPAN: u64 = i32::MAX as u64;

#[cfg(test)]
mod tests;
