//! Compares the problems and the meaning of configuration files with expected output: one directory
//! per case in `tests/cases`.
//!
//! `UPDATE_EXPECTED=1 cargo test -p portreeve-config` writes the current output; review the
//! difference.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::{env, fmt::Write, fs, path::Path};

use portreeve_channel::{Algorithm, AlgorithmList};
use portreeve_config::{Config, ConfigError, DiskFiles, Notifications, Services, SshWindow, parse};
use portreeve_lcd::{Columns, ContextMatch, FamilyType, Row, StorageType, Table};
use portreeve_smi::{EngineId, SecurityModel, display_arcs};

#[test]
fn configuration_report_for_each_case_matches_expected_file() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let update = env::var_os("UPDATE_EXPECTED").is_some();
    let mut folders: Vec<_> = fs::read_dir(cases).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    assert!(folders.len() > 20);
    let mut wrong = Vec::new();
    for folder in folders {
        let output = report_for(&folder);
        let expected = folder.join("expected.txt");
        if update {
            fs::write(expected, output).unwrap();
        } else if fs::read_to_string(expected).unwrap_or_default() != output {
            wrong.push(format!("{}:\n{output}", folder.display()));
        }
    }
    assert!(wrong.is_empty(), "unexpected:\n\n{}", wrong.join("\n"));
}

fn report_for(folder: &Path) -> String {
    let path = folder.join("portreeved.toml");
    let text = fs::read_to_string(&path).unwrap();
    // File modes are ignored, because they depend on how the tree was checked out;
    // `tests/secrets.rs` tests them.
    match parse(&text, Path::new("portreeved.toml"), &IgnoredModes(DiskFiles::beside(&path))) {
        Ok(loaded) => {
            let mut output = String::new();
            for problem in loaded.warnings.iter().chain(&loaded.notes) {
                writeln!(output, "{problem}").unwrap();
            }
            output + &describe(&loaded.config)
        }
        Err(ConfigError(problems)) => problems.iter().map(|problem| format!("{problem}\n")).collect(),
    }
}

struct IgnoredModes(DiskFiles);

impl portreeve_config::Files for IgnoredModes {
    fn read(&self, path: &Path) -> std::io::Result<portreeve_secret::Secret> {
        self.0.read(path)
    }

    fn is_open_to_others(&self, _: &Path) -> bool {
        false
    }

    fn is_writable_by_others(&self, _: &Path) -> bool {
        false
    }
}

/// Describes the whole configuration except cryptographic keys.
fn describe(config: &Config) -> String {
    let mut output = String::new();
    let engine_id: EngineId = "0x8000000005706f72747265657665".parse().unwrap();
    let tables = config.tables(config.agent.engine_id.unwrap_or(engine_id));
    writeln!(output, "{:?}\n{:?}", config.agent, config.limits).unwrap();
    if config.log.sets {
        writeln!(output, "log SETs").unwrap();
    }
    for listener in &config.listeners {
        let delayed = if listener.nodelay { "" } else { " delayed" };
        let window = match listener.window {
            SshWindow::WhenNeeded => "",
            SshWindow::EveryMessage => " opened after every message",
        };
        let algorithms = listener.algorithms;
        let narrowed = |names: Vec<&str>| {
            if names.is_empty() { String::new() } else { format!(" only {}", names.join(",")) }
        };
        let key_exchanges =
            algorithms.key_exchanges.iter().flat_map(AlgorithmList::iter).map(Algorithm::name);
        let ciphers = algorithms.ciphers.iter().flat_map(AlgorithmList::iter).map(Algorithm::name);
        let (key_exchanges, ciphers) = (narrowed(key_exchanges.collect()), narrowed(ciphers.collect()));
        let (transport, address) = (listener.transport, listener.address);
        let services = match listener.services {
            Services { snmp: true, netconf: true } => " with SNMP and NETCONF",
            Services { snmp: false, netconf: true } => " with NETCONF",
            Services { snmp: false, netconf: false } => " without services",
            Services { snmp: true, netconf: false } => "",
        };
        writeln!(output, "listen {transport} {address}{services}{delayed}{window}{key_exchanges}{ciphers}")
            .unwrap();
    }
    for relay in &config.relays {
        writeln!(output, "{relay:?}").unwrap();
    }
    if let Some(ssh) = &config.ssh {
        writeln!(output, "{ssh:?}").unwrap();
    }
    if let Some(tls) = &config.tls {
        writeln!(output, "{tls:?}").unwrap();
    }
    if let Some(netconf) = &config.netconf {
        writeln!(output, "{netconf:?}").unwrap();
    }
    for module in &config.yang.modules {
        writeln!(output, "module {}, line {}", module.path.display(), module.line).unwrap();
    }
    rows(&mut output, "context", tables.contexts.iter().map(|name| text(name)));
    if tables.communities_in_sessions {
        writeln!(output, "communities in sessions").unwrap();
    }
    if tables.scalars.tsm_use_prefix.storage == StorageType::ReadOnly {
        writeln!(output, "prefix {}", tables.scalars.tsm_use_prefix.enabled).unwrap();
    }
    let system = [
        ("sysContact", &tables.scalars.sys_contact),
        ("sysName", &tables.scalars.sys_name),
        ("sysLocation", &tables.scalars.sys_location),
    ];
    for (name, scalar) in system.into_iter().filter(|(_, scalar)| scalar.storage == StorageType::ReadOnly) {
        writeln!(output, "{name} {}", text(&scalar.value)).unwrap();
    }
    table(&mut output, "user", &tables.users, |row| {
        let credential = |credential: &Option<std::sync::Arc<portreeve_lcd::Credential>>| {
            credential.as_ref().map_or("none".into(), |credential| {
                format!("{} with {} octets of key", credential.protocol, credential.key.len())
            })
        };
        format!("{}: auth {}, priv {}", text(&row.key.name), credential(&row.auth), credential(&row.privacy))
    });
    table(&mut output, "community", &tables.communities, |row| {
        let [index, name, security_name, context, tag] =
            [&row.key.index, &row.name, &row.security_name, &row.context_name, &row.transport_tag]
                .map(|name| text(name));
        format!("{index}: {name} is {security_name}, context {context}, tag {tag}")
    });
    table(&mut output, "source", &tables.target_addresses, |row| {
        let (name, tag) = (text(&row.key.name), text(&row.tag_list));
        format!("{name}: {} {:?} mask {:?} tag {tag}", row.domain, row.address, row.mask)
    });
    table(&mut output, "params", &tables.target_params, |row| {
        let (name, security_name) = (text(&row.key.name), text(&row.security_name));
        let (model, level) = (row.security_model, row.security_level);
        format!("{name}: {:?} for {model}:{security_name} at {level}", row.mp_model)
    });
    table(&mut output, "notify", &tables.notifies, |row| {
        format!("{}: tag {} {:?}", text(&row.key.name), text(&row.tag), row.kind)
    });
    table(&mut output, "filter profile", &tables.notify_filter_profiles, |row| {
        format!("{} is {}", text(&row.key.params_name), text(&row.profile_name))
    });
    table(&mut output, "filter", &tables.notify_filters, |row| {
        let sign = if row.kind == FamilyType::Included { '+' } else { '-' };
        format!(
            "{} {sign}{} mask {:?}",
            text(&row.key.profile_name),
            display_arcs(&row.key.subtree),
            row.mask
        )
    });
    table(&mut output, "tls address", &tables.tls_addresses, |row| {
        let (name, identity) = (text(&row.key.address_name), text(&row.server_identity));
        format!("{name}: {} octets of fingerprint, identity {identity}", row.server_fingerprint.len())
    });
    for target in &config.notify_targets {
        writeln!(output, "{target:?}").unwrap();
    }
    if config.notifications != Notifications::default() {
        writeln!(output, "{:?}", config.notifications).unwrap();
    }
    table(&mut output, "group", &tables.groups, |row| {
        format!("{}:{} in {}", row.key.model, text(&row.key.security_name), text(&row.group_name))
    });
    table(&mut output, "access", &tables.access, |row| {
        let ends = if row.context_match == ContextMatch::Prefix { "*" } else { "" };
        let [group, context, read, write, notify] =
            [&row.key.group_name, &row.key.context_prefix, &row.read_view, &row.write_view, &row.notify_view]
                .map(|name| text(name));
        let (model, level) = (row.key.model, row.key.level);
        format!(
            "{group} in {context}{ends} by {model} from {level}: read {read}, write {write}, notify {notify}"
        )
    });
    table(&mut output, "tls name", &tables.cert_to_names, |row| {
        let (priority, way, data) = (row.key.priority, display_arcs(&row.map_type), text(&row.data));
        format!("{priority}: {} octets of fingerprint by {way}: {data}", row.fingerprint.len())
    });
    table(&mut output, "view", &tables.view_families, |row| {
        let sign = if row.kind == FamilyType::Included { '+' } else { '-' };
        format!("{} {sign}{} mask {:?}", text(&row.key.view_name), display_arcs(&row.key.subtree), row.mask)
    });
    assert!(tables.groups.iter().all(|row| row.key.model != SecurityModel::ANY));
    output
}

fn table<C: Columns>(output: &mut String, kind: &str, table: &Table<C>, show: impl Fn(&Row<C>) -> String) {
    assert!(table.iter().all(|row| row.is_active() && !row.is_writable()), "{kind} rows must be read-only");
    rows(output, kind, table.iter().map(|row| show(row)));
}

fn rows(output: &mut String, kind: &str, rows: impl Iterator<Item = String>) {
    for row in rows {
        writeln!(output, "{kind} {row}").unwrap();
    }
}

fn text(octets: &[u8]) -> String {
    format!("\"{}\"", String::from_utf8_lossy(octets))
}
