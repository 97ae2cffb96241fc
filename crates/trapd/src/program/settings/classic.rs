//! `snmptrapd.conf`.

use std::{path::PathBuf, sync::Arc};

use portreeve_config::{Listener, NoFiles, parse_receiver};
use portreeve_net_snmp_conf::{ConfEntry, DiskFiles, Section, read as read_conf, read_file};
use portreeve_secure_session::NetSnmpCertificates;

use super::{
    Action, Destination, InputForm, LineFormats, Settings, TimedCommand, address,
    certificates::{fingerprint, folders},
    names::{resolve, resolve_host},
};
use crate::{
    ConfProblem, DEFAULT_HANDLER_TIMEOUT, HandlerAction, HandlerDirective, HandlerTable, ListenAddress,
    NameResolver, ProblemSeverity, SnmptrapdConf, program::arguments::Plan,
};

impl Settings {
    /// Reads `snmptrapd.conf`. As in Net-SNMP, a directive with an error is reported and omitted.
    pub(super) fn load_classic(plan: &Plan) -> Result<Self, String> {
        let folders = folders();
        let (file, entries, mut shared) = match &plan.classic_config {
            Some(file) => {
                let read = |section| {
                    let entries = read_file(section, file, &DiskFiles);
                    entries.map_err(|error| format!("{}: {error}", file.display()))
                };
                (file.clone(), read(Section::SNMPTRAPD)?, read(Section::SNMP)?)
            }
            None if plan.skips_default_files => (PathBuf::from("snmptrapd.conf"), Vec::new(), Vec::new()),
            None => {
                let read = |section, name| read_conf(section, name, &folders, &DiskFiles);
                let shared = [read(Section::SNMP, "snmp"), read(Section::SNMP, "snmptrapd")].concat();
                (PathBuf::from("snmptrapd.conf"), read(Section::SNMPTRAPD, "snmptrapd"), shared)
            }
        };
        // The lines before the first section of a file belong to whichever section is read.
        let is_same = |one: &ConfEntry, other: &ConfEntry| one.location == other.location;
        shared.retain(|entry| !entries.iter().any(|other| is_same(entry, other)));
        let certificates = NetSnmpCertificates::in_folders(folders);
        let names = NameResolver {
            oid: &resolve,
            host: &resolve_host,
            certificate: &|name| fingerprint(&certificates, name),
        };
        let (classic, mut problems) = SnmptrapdConf::parse(entries, shared, &names);
        let (config, _) = parse_receiver("", &file, &NoFiles).map_err(|rejected| rejected.to_string())?;
        let mut shared = config.shared;
        let listeners = listeners(&classic, &mut problems);
        let mut values = plan.values;
        if let Some(letters) = &classic.output_options {
            values.apply(letters).map_err(|error| error.to_string())?;
        }
        let (actions, classic_destinations) = actions(&classic, &mut problems);
        problems.iter().for_each(|problem| eprintln!("{problem}"));
        let errors = problems.iter().filter(|problem| problem.severity == ProblemSeverity::Error);
        match listeners {
            Some(listeners) if listeners.is_empty() => {}
            Some(listeners) => shared.listeners = listeners,
            // Those of the command line are used instead.
            None if !plan.addresses.is_empty() => {}
            None => return Err(format!("{}: cannot listen: correct snmpTrapdAddr", file.display())),
        }
        let mut rules = classic.notification_rules();
        if classic.is_logging_disabled {
            rules.iter_mut().for_each(|rule| rule.actions.log = false);
        }
        Ok(Self {
            rules,
            senders: Vec::new(),
            actions,
            forwards: Vec::new(),
            classic_destinations,
            log: None,
            json: None,
            journal: None,
            formats: LineFormats { v1: classic.format_v1.clone(), v2: classic.format_v2.clone() },
            values,
            ignores_authentication_failures: classic.ignores_authentication_failures,
            queue_octets: config.output.queue_octets,
            invalid_directives: errors.count(),
            classic: Some(classic),
            shared,
            file,
        })
    }
}

/// Returns the listeners of `snmpTrapdAddr`; `None` if one is invalid.
fn listeners(classic: &SnmptrapdConf, problems: &mut Vec<ConfProblem>) -> Option<Vec<Listener>> {
    let mut listeners = Vec::new();
    for ListenAddress { location, address } in &classic.listen_addresses {
        match address::listener(address) {
            Ok(listener) => listeners.push(listener),
            Err(error) => {
                let message = format!("snmpTrapdAddr: {error}");
                problems.push(ConfProblem::new(location.clone(), ProblemSeverity::Error, message));
            }
        }
    }
    let is_complete = listeners.len() == classic.listen_addresses.len();
    (is_complete && !classic.has_invalid_listen_address).then_some(listeners)
}

/// Returns the table of `traphandle` and `forward`, and the destinations.
fn actions(
    classic: &SnmptrapdConf,
    problems: &mut Vec<ConfProblem>,
) -> (HandlerTable<Action>, Vec<Destination>) {
    let (mut addresses, mut destinations) = (Vec::new(), Vec::new());
    let table = classic.handler_table(|HandlerDirective { location, action, .. }| match action {
        HandlerAction::Run(command) => Some(Action::Run(TimedCommand {
            command: Arc::new(command.clone()),
            input: InputForm::NetSnmp,
            timeout: DEFAULT_HANDLER_TIMEOUT,
        })),
        HandlerAction::Forward(address) => {
            if let Some(known) = addresses.iter().position(|known| known == address) {
                return Some(Action::Forward(known));
            }
            match Destination::as_received(address) {
                Ok(destination) => {
                    addresses.push(address.clone());
                    destinations.push(destination);
                    Some(Action::Forward(destinations.len() - 1))
                }
                Err(error) => {
                    let message = format!("forward: {error}");
                    problems.push(ConfProblem::new(location.clone(), ProblemSeverity::Error, message));
                    None
                }
            }
        }
    });
    (table, destinations)
}
