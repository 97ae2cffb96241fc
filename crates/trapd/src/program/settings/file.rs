//! `portreeve-trapd.toml`.

use std::{
    net::IpAddr,
    path::{Path, PathBuf},
    sync::Arc,
};

use portreeve_config::{
    Accept, Handler, HandlerInput, KeySource, ReceiverConfig, Sender, User, load_receiver,
};
use portreeve_crypto::{AuthProtocol, MasterKey, PrivProtocol, password_to_key};
use portreeve_smi::{SecurityLevel, SecurityModel};
use portreeve_snmp_apps::{NotificationActions, NotificationRule};
use portreeve_snmp_engine::senders::{SenderCredential, SenderRule, SourcePrefix};

use super::{Action, InputForm, LineFormats, Settings, TimedCommand, names::resolve, programs};
use crate::{HandlerCommand, HandlerTable, LineFormat, OidPattern, program::arguments::Plan};

impl Settings {
    /// Reads `portreeve-trapd.toml`.
    pub(super) fn load_file(plan: &Plan) -> Result<Self, String> {
        let file = plan.config.clone().unwrap_or_else(|| PathBuf::from(DEFAULT_CONFIG));
        let (config, warnings) = load_receiver(&file).map_err(|rejected| rejected.to_string())?;
        warnings.iter().for_each(|warning| eprintln!("{warning}"));
        let ReceiverConfig { mut shared, output, accept, senders, handlers, forwards } = config;
        let directory = file.parent().unwrap_or(Path::new("")).to_owned();
        let beside = |path: PathBuf| directory.join(path);
        shared.agent.state_dir = directory.join(&shared.agent.state_dir);
        let format = output.format.as_deref().map(LineFormat::parse).transpose();
        let format = format.map_err(|error| format!("{}: error: `format`: {error}", file.display()))?;
        Ok(Self {
            rules: accept.iter().flat_map(rules).collect(),
            senders: senders.iter().filter_map(|sender| sender_rule(sender, &shared.users)).collect(),
            actions: handler_table(&handlers, &file)?,
            forwards,
            classic_destinations: Vec::new(),
            log: output.log.map(beside),
            json: output.json.map(beside),
            journal: output.journal.map(beside),
            formats: LineFormats { v1: format.clone(), v2: format },
            values: plan.values,
            ignores_authentication_failures: false,
            queue_octets: output.queue_octets,
            invalid_directives: 0,
            classic: None,
            shared,
            file,
        })
    }
}

/// Returns the rules of an `[[accept]]`, one for each security model. Only SNMPv3 has levels.
fn rules(accept: &Accept) -> Vec<NotificationRule> {
    let models = [
        (SecurityModel::USM, accept.level),
        (SecurityModel::TSM, accept.level),
        (SecurityModel::SNMP_V1, SecurityLevel::NoAuthNoPriv),
        (SecurityModel::SNMP_V2C, SecurityLevel::NoAuthNoPriv),
    ];
    let chosen = models.into_iter().filter(|(model, _)| accept.model.is_none_or(|own| own == *model));
    chosen
        .map(|(model, min_level)| NotificationRule {
            security_model: Some(model),
            security_name: Some(accept.name.to_vec()),
            min_level,
            sources: prefixes(&accept.sources),
            subtree: accept.notifications.clone(),
            actions: NotificationActions {
                log: accept.log,
                execute: accept.execute,
                forward: accept.forward,
            },
        })
        .collect()
}

fn prefixes(networks: &[(IpAddr, u8)]) -> Vec<SourcePrefix> {
    networks.iter().filter_map(|(address, length)| SourcePrefix::new(*address, *length)).collect()
}

/// Returns the rule of a user on many senders. Deriving its keys takes milliseconds.
fn sender_rule(sender: &Sender, users: &[User]) -> Option<SenderRule> {
    let user = users.iter().find(|user| user.name == sender.user)?;
    let protocol = user.auth.as_ref().map(|(protocol, _)| *protocol);
    let auth = user.auth.as_ref().and_then(|(protocol, key)| {
        Some(SenderCredential::<AuthProtocol> { protocol: *protocol, key: master_key(*protocol, key)? })
    });
    let privacy = user.privacy.as_ref().zip(protocol).and_then(|((privacy, key), auth)| {
        Some(SenderCredential::<PrivProtocol> { protocol: *privacy, key: master_key(auth, key)? })
    });
    Some(SenderRule::new(&user.name, auth, privacy, prefixes(&sender.sources)))
}

fn master_key(protocol: AuthProtocol, key: &KeySource) -> Option<MasterKey> {
    match key {
        KeySource::PassPhrase(pass_phrase) => password_to_key(protocol, pass_phrase).ok(),
        KeySource::Localized(_) => None,
    }
}

fn handler_table(handlers: &[Handler], file: &Path) -> Result<HandlerTable<Action>, String> {
    let mut table = HandlerTable::default();
    for handler in handlers {
        let pattern = OidPattern::parse(&handler.notifications, resolve);
        let pattern =
            pattern.map_err(|error| format!("{}:{}: error: {error}", file.display(), handler.line))?;
        let Some((program, arguments)) = handler.command.split_first() else { continue };
        let command = HandlerCommand { program: program.into(), arguments: arguments.to_vec() };
        if let Some(reason) = programs::why_not_executable(&command.program) {
            eprintln!("{}:{}: warning: {reason}", file.display(), handler.line);
        }
        let input = match handler.input {
            HandlerInput::Text => InputForm::Lines,
            HandlerInput::Json => InputForm::Json,
        };
        let command = TimedCommand { command: Arc::new(command), input, timeout: handler.timeout };
        table.add(pattern, Action::Run(command));
    }
    Ok(table)
}

const DEFAULT_CONFIG: &str = "/etc/portreeve/portreeve-trapd.toml";
