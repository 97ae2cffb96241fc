//! Builds the sections that only the receiver of notifications has.

use std::{net::IpAddr, path::PathBuf, time::Duration};

use portreeve_smi::{SecurityLevel, SecurityModel};

use super::{
    Builder,
    names::{check_name, octets, quoted},
    networks::Network,
    objects::Subtree,
    weak::Weakness,
};
use crate::{
    Accept, Agent, Handler, HandlerInput, KeySource, ReceiverOutput, Sender, User,
    options::{ACCEPT, HANDLER, SENDER, Section},
    raw::{RawAccept, RawAgent, RawHandler, RawReceive, RawSender},
    reader::{Located, display_escaped},
};

impl Builder<'_> {
    /// Builds the settings of the receiver's engine.
    pub(super) fn receiver_engine(&mut self, raw: &RawReceive) -> Agent {
        let raw = RawAgent {
            engine_id: raw.engine_id.clone(),
            state_dir: raw.state_dir.clone(),
            ..RawAgent::default()
        };
        let has_directory = raw.state_dir.is_some();
        let agent = self.agent(&raw);
        if has_directory { agent } else { Agent { state_dir: PathBuf::from(DEFAULT_STATE_DIR), ..agent } }
    }

    pub(super) fn receiver_output(&mut self, raw: &RawReceive) -> ReceiverOutput {
        let path =
            |written: &Option<Located<String>>| written.as_ref().map(|written| PathBuf::from(&written.value));
        ReceiverOutput {
            log: path(&raw.log),
            json: path(&raw.json),
            format: raw.format.as_ref().map(|written| written.value.clone()),
            journal: raw
                .journal
                .unwrap_or_default()
                .then(|| path(&raw.journal_socket).unwrap_or_else(|| PathBuf::from(JOURNAL_SOCKET))),
            queue_octets: raw.queue_size.map_or(DEFAULT_QUEUE, |size| size as usize),
        }
    }

    pub(super) fn accept(&mut self, raw: &[RawAccept]) -> Vec<Accept> {
        raw.iter().filter_map(|accept| self.accept_rule(accept)).collect()
    }

    fn accept_rule(&mut self, raw: &RawAccept) -> Option<Accept> {
        let name = raw.name.as_ref()?;
        check_name(&ACCEPT, "name", name, self.problems);
        let model = match raw.model.as_ref().map(|written| (written, written.value.as_str())) {
            None => None,
            Some((_, "usm")) => Some(SecurityModel::USM),
            Some((_, "tsm")) => Some(SecurityModel::TSM),
            Some((_, "v1")) => Some(SecurityModel::SNMP_V1),
            Some((_, "v2c")) => Some(SecurityModel::SNMP_V2C),
            Some((written, other)) => {
                let found = format!("unknown security model \"{}\"", display_escaped(other));
                self.reject_value(&ACCEPT, "model", written.position, found);
                return None;
            }
        };
        let level = match &raw.level {
            Some(written) => {
                let level = self.level(&ACCEPT, written)?;
                if level == SecurityLevel::NoAuthNoPriv {
                    let (found, better) = ("level = \"noAuthNoPriv\"", "use level = \"authPriv\"");
                    self.weak.check(Weakness::NoAuthNoPriv, written.position, found, better, self.problems);
                }
                level
            }
            None => SecurityLevel::AuthPriv,
        };
        let mut actions = [("log", false), ("execute", false), ("forward", false)];
        for written in raw.actions.iter().flatten() {
            match actions.iter_mut().find(|(name, _)| *name == written.value) {
                Some((_, is_permitted)) => *is_permitted = true,
                None => {
                    let found = format!("unknown action \"{}\"", display_escaped(&written.value));
                    self.reject_value(&ACCEPT, "actions", written.position, found);
                }
            }
        }
        let is_permitted = |index: usize| raw.actions.is_none() || actions[index].1;
        let notifications = raw.notifications.as_ref().and_then(|written| self.subtree(written));
        Some(Accept {
            name: octets(&name.value),
            model,
            level,
            sources: self.source_networks(&ACCEPT, raw.sources.as_deref()),
            notifications,
            log: is_permitted(0),
            execute: is_permitted(1),
            forward: is_permitted(2),
        })
    }

    fn subtree(&mut self, written: &Located<String>) -> Option<portreeve_smi::Oid> {
        match Subtree::parse(&written.value) {
            Ok(subtree) if subtree.mask.is_empty() => return Some(subtree.oid),
            Ok(_) => {
                let found = "`notifications` must be a single subtree, without *";
                self.reject_value(&ACCEPT, "notifications", written.position, found);
            }
            Err(wrong) => {
                let found = format!("\"{}\": {wrong}", display_escaped(&written.value));
                self.reject_value(&ACCEPT, "notifications", written.position, found);
            }
        }
        None
    }

    fn source_networks(
        &mut self,
        section: &Section,
        written: Option<&[Located<String>]>,
    ) -> Vec<(IpAddr, u8)> {
        let mut networks = Vec::new();
        for written in written.unwrap_or_default() {
            match Network::parse(&written.value) {
                Ok(network) => networks.push(network.to_prefix()),
                Err(wrong) => {
                    let found = format!("source \"{}\" {wrong}", display_escaped(&written.value));
                    self.reject_value(section, "sources", written.position, found);
                }
            }
        }
        networks
    }

    pub(super) fn senders(&mut self, raw: &[RawSender], users: &[User]) -> Vec<Sender> {
        let mut senders = Vec::new();
        for sender in raw {
            let Some(name) = &sender.user else { continue };
            let sources = self.source_networks(&SENDER, sender.sources.as_deref());
            let user = users.iter().find(|user| *user.name == *name.value.as_bytes());
            let Some(user) = user else {
                let found = format!("undefined user \"{}\"", display_escaped(&name.value));
                let names = users.iter().filter_map(|user| str::from_utf8(&user.name).ok());
                let accepted = quoted(names);
                let problem = self.problems.error(name.position, found);
                problem.accepted(accepted).hint("add a [[user]] with this name");
                continue;
            };
            let keys = [user.auth.as_ref().map(|key| &key.1), user.privacy.as_ref().map(|key| &key.1)];
            if keys.into_iter().flatten().any(|key| matches!(key, KeySource::Localized(_))) {
                let found = "a user of many senders needs pass phrases: its keys differ on each of them";
                self.problems.error(name.position, found).hint("set auth-pass and priv-pass in the [[user]]");
                continue;
            }
            senders.push(Sender { user: octets(&name.value), sources });
        }
        senders
    }

    pub(super) fn handlers(&mut self, raw: &[RawHandler]) -> Vec<Handler> {
        let mut handlers = Vec::new();
        for handler in raw {
            let Some(command) = &handler.command else { continue };
            let Some(program) = command.first().filter(|program| !program.value.is_empty()) else {
                self.reject_value(&HANDLER, "command", handler.position, "`command` names no program");
                continue;
            };
            if !program.value.starts_with('/') {
                let found =
                    format!("the program \"{}\" is not an absolute path", display_escaped(&program.value));
                self.reject_value(&HANDLER, "command", program.position, found);
                continue;
            }
            let Some(input) = self.handler_input(&handler.input) else { continue };
            handlers.push(Handler {
                input,
                notifications: handler
                    .notifications
                    .as_ref()
                    .map_or_else(|| "default".to_owned(), |written| written.value.clone()),
                command: command.iter().map(|word| word.value.clone()).collect(),
                timeout: Duration::from_secs(handler.timeout.unwrap_or(DEFAULT_HANDLER_TIMEOUT).into()),
                line: self.problems.line(handler.position),
            });
        }
        handlers
    }

    fn handler_input(&mut self, written: &Option<Located<String>>) -> Option<HandlerInput> {
        let Some(written) = written else { return Some(HandlerInput::Text) };
        match written.value.as_str() {
            "text" => Some(HandlerInput::Text),
            "json" => Some(HandlerInput::Json),
            other => {
                let found = format!("unknown form of the input \"{}\"", display_escaped(other));
                self.reject_value(&HANDLER, "input", written.position, found);
                None
            }
        }
    }
}

const JOURNAL_SOCKET: &str = "/run/systemd/journal/socket";
const DEFAULT_STATE_DIR: &str = "/var/lib/portreeve/trapd";
const DEFAULT_QUEUE: usize = 64 << 20;
const DEFAULT_HANDLER_TIMEOUT: u32 = 30;
