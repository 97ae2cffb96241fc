mod access;
mod certificates;
mod handlers;
mod settings;
mod users;

use portreeve_channel::HashAlgorithm;
use portreeve_crypto::{AuthProtocol, PrivProtocol};
use portreeve_mib::modules::tls_tm_mib::{SNMP_TLSTM_CERT_COMMON_NAME, SNMP_TLSTM_CERT_SPECIFIED};
use portreeve_net_snmp_conf::{Section, read_text};
use portreeve_smi::{OidError, SecurityLevel, SecurityModel};
use portreeve_snmp_apps::NotificationActions;
use portreeve_snmp_engine::senders::SourcePrefix;

use super::*;
use crate::{HandlerCommand, OidPattern};

fn resolve_oid(text: &str) -> Result<Oid, String> {
    let number = if text == "coldStart" { ".1.3.6.1.6.3.1.1.5.1" } else { text };
    number.parse().map_err(|error: OidError| error.to_string())
}

fn resolve_host(name: &str) -> io::Result<Vec<IpAddr>> {
    match name {
        "collector" => Ok(vec!["192.0.2.8".parse().unwrap(), "2001:db8::8".parse().unwrap()]),
        "empty" => Ok(Vec::new()),
        _ => Err(io::Error::other("unknown host")),
    }
}

fn parse_with_mode(text: &str, mode: u32) -> (SnmptrapdConf, Vec<String>) {
    let mut entries = read_text(Section::SNMPTRAPD, Path::new("snmptrapd.conf"), text);
    entries.iter_mut().for_each(|entry| entry.location.mode = mode);
    let mut shared = read_text(Section::SNMP, Path::new("snmptrapd.conf"), text);
    shared.retain(|entry| !entries.iter().any(|other| other.location.line == entry.location.line));
    let names = NameResolver { oid: &resolve_oid, host: &resolve_host, certificate: &resolve_certificate };
    let (conf, problems) = SnmptrapdConf::parse(entries, shared, &names);
    (conf, problems.iter().map(ToString::to_string).collect())
}

/// Finds the certificate `good`, whose fingerprint has the octet 7 only.
fn resolve_certificate(name: &str) -> Result<Fingerprint, String> {
    match name {
        "good" => Ok(Fingerprint::from_hash(HashAlgorithm::Sha256, &[7; 32])),
        _ => Err(format!("certificate {name:?} not found")),
    }
}

/// Parses directives that have no problem.
#[track_caller]
fn parsed(text: &str) -> SnmptrapdConf {
    let (conf, problems) = parse_with_mode(text, 0o600);
    assert_eq!(problems, Vec::<String>::new());
    conf
}

/// Returns the only problem, without its location.
#[track_caller]
fn problem(text: &str) -> String {
    let (_, problems) = parse_with_mode(text, 0o600);
    let [problem] = &*problems else { panic!("{text}: {problems:?}") };
    let line = format!("snmptrapd.conf:{}: ", text.lines().count());
    problem.strip_prefix(&line).unwrap_or_else(|| panic!("{problem}")).to_owned()
}

/// Describes the rules in short: model, name, level, sources, subtree, actions.
fn rules(conf: &SnmptrapdConf) -> Vec<String> {
    let describe = |rule: NotificationRule| {
        let model = rule.security_model.map_or("any".to_owned(), |model| model.to_string());
        let name = rule.security_name.map_or("*".to_owned(), |name| name.escape_ascii().to_string());
        let subtree = rule.subtree.map_or("all".to_owned(), |subtree| subtree.to_string());
        let actions =
            [(rule.actions.log, "log"), (rule.actions.execute, "execute"), (rule.actions.forward, "forward")];
        let actions: Vec<_> = actions.iter().filter(|(is_set, _)| *is_set).map(|(_, name)| *name).collect();
        let level = rule.min_level;
        format!("{model} {name} {level} {} {subtree} {}", rule.sources.len(), actions.join("+"))
    };
    conf.notification_rules().into_iter().map(describe).collect()
}

const PHRASES: &str = "createUser traps SHA-256 \"sesame open\" AES 'other sesame'\n";
