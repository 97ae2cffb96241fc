//! `snmptrapd.conf`.

use std::{path::PathBuf, sync::Arc};

use portreeve_config::{NoFiles, parse_receiver};
use portreeve_net_snmp_conf::{DiskFiles, Section, default_folders, read as read_conf, read_file};

use super::{
    Action, Destination, LineFormats, Settings, TimedCommand, address,
    names::{resolve, resolve_host},
};
use crate::{
    ConfProblem, DEFAULT_HANDLER_TIMEOUT, HandlerAction, HandlerDirective, HandlerTable, NameResolver,
    ProblemSeverity, SnmptrapdConf, program::arguments::Plan,
};

impl Settings {
    /// Reads `snmptrapd.conf`. As in Net-SNMP, a directive with an error is reported and omitted.
    pub(super) fn load_classic(plan: &Plan) -> Result<Self, String> {
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
        let (classic, mut problems) = SnmptrapdConf::parse(entries, &names);
        let (config, _) = parse_receiver("", &file, &NoFiles).map_err(|rejected| rejected.to_string())?;
        let mut shared = config.shared;
        let addresses: Vec<_> = classic.listen_addresses.iter().map(|one| one.address.clone()).collect();
        if !addresses.is_empty() {
            shared.listeners = address::listeners(&addresses)?;
        }
        let mut values = plan.values;
        if let Some(letters) = &classic.output_options {
            values.apply(letters).map_err(|error| error.to_string())?;
        }
        let (actions, classic_destinations) = actions(&classic, &mut problems);
        problems.iter().for_each(|problem| eprintln!("{problem}"));
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
            journal: false,
            formats: LineFormats { v1: classic.format_v1.clone(), v2: classic.format_v2.clone() },
            values,
            ignores_authentication_failures: classic.ignores_authentication_failures,
            queue_octets: config.output.queue_octets,
            classic: Some(classic),
            shared,
            file,
        })
    }
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
