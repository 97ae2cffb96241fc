//! `[notifications]` and `[[notify]]`: the rows of a target, and everything else that is needed to
//! reach it.

mod address;
mod checks;
mod principal;
mod rows;

use std::time::Duration;

use portreeve_lcd::{BoolScalar, NotifyType, StorageType, TargetAddressKey};
use portreeve_smi::{MessageProcessingModel, TransportDomain};

pub(super) use address::Receiver;
pub(super) use rows::{DEFAULT_RETRIES, DEFAULT_TIMEOUT};

use super::{
    Builder,
    names::{check_name, octets, quoted},
};
use crate::{
    FileReference, Notifications, NotifyTarget, User,
    options::NOTIFY,
    raw::{CLEAR_KEYS, Raw, RawNotifications, RawNotify, SSH_KEYS, TLS_KEYS},
    reader::{Located, display_escaped},
};

impl Builder<'_> {
    pub(super) fn notifications(&mut self, raw: &RawNotifications) -> Notifications {
        if let Some(enabled) = raw.authentication_failures {
            self.rows.scalars.enable_authen_traps = BoolScalar { enabled, storage: StorageType::ReadOnly };
        }
        let default = Notifications::default();
        Notifications {
            authentication_failure_rate: raw
                .authentication_failure_rate
                .unwrap_or(default.authentication_failure_rate),
        }
    }

    /// Builds the targets. Their users must have been built, because a target uses their rights.
    pub(super) fn notify(&mut self, file: &Raw, users: &[User]) -> Vec<NotifyTarget> {
        let raw = &file.notify;
        if !raw.is_empty() {
            self.reject_reserved_names(file);
        }
        self.reject_fallback_cycles(raw);
        let fallbacks: Vec<&str> =
            raw.iter().filter_map(|target| Some(target.fallback.as_ref()?.value.as_str())).collect();
        let mut targets = Vec::new();
        for (number, target) in (1..).zip(raw) {
            self.fallback(target, raw);
            let is_standby = target.name.as_ref().is_some_and(|name| fallbacks.contains(&&*name.value));
            targets.extend(self.notify_target(number, target, is_standby, users, file));
        }
        targets
    }

    fn fallback(&mut self, target: &RawNotify, all: &[RawNotify]) {
        let Some(fallback) = &target.fallback else { return };
        let names: Vec<&str> =
            all.iter().filter_map(|other| Some(other.name.as_ref()?.value.as_str())).collect();
        let is_own = target.name.as_ref().is_some_and(|name| name.value == fallback.value);
        if is_own || !names.contains(&&*fallback.value) {
            let found = match is_own {
                true => "a target cannot be its own `fallback`".to_owned(),
                false => format!("undefined `fallback` \"{}\"", display_escaped(&fallback.value)),
            };
            let problem = self.problems.error(fallback.position, found);
            problem.accepted(quoted(names.into_iter())).hint("add a [[notify]] with this name");
        }
    }

    fn notify_target(
        &mut self,
        number: usize,
        raw: &RawNotify,
        is_standby: bool,
        users: &[User],
        file: &Raw,
    ) -> Option<NotifyTarget> {
        let name = raw.name.as_ref()?;
        check_name(&NOTIFY, "name", name, self.problems);
        let key = TargetAddressKey { name: octets(&name.value) };
        if self.rows.target_addresses.get(&key).is_some() {
            let found = format!("the name \"{}\" is used already", display_escaped(&name.value));
            self.problems.error(name.position, found).hint("give each [[notify]] another name");
            return None;
        }
        let receiver = self.receiver(raw)?;
        self.reject_unsupported_keys(raw, receiver.transport);
        let model = self.message_model(raw, receiver.transport)?;
        let kind = self.notify_kind(raw, model)?;
        self.check_ssh_key(raw, receiver.transport, &file.ssh);
        self.check_tls_trust(raw, receiver.transport, &file.tls);
        let index = format!("notify-{number}");
        let params = self.target_params(raw, &receiver, model, &index, users)?;
        self.target_rows(raw, &receiver, &index, (!is_standby).then_some(kind));
        self.rows.insert(params.into_active(StorageType::ReadOnly));
        self.notify_filter(raw, &name.value, &index);
        self.tls_address(raw, &name.value);
        let file = |written: &Option<Located<String>>| written.as_ref().map(|file| self.file_at(file));
        let authorities = raw.authorities.iter().flatten();
        let authorities: Vec<FileReference> = authorities.map(|file| self.file_at(file)).collect();
        let default = NotifyTarget::default();
        Some(NotifyTarget {
            name: octets(&name.value),
            kind,
            ssh_key: file(&raw.ssh_key),
            known_hosts: file(&raw.known_hosts),
            certificate: file(&raw.certificate),
            key: file(&raw.key),
            authorities,
            fallback: raw.fallback.as_ref().map(|fallback| octets(&fallback.value)),
            queue_octets: raw.queue_size.map_or(default.queue_octets, |size| size as usize),
            queue_age: raw.queue_age.map_or(default.queue_age, |age| Duration::from_secs(age.into())),
        })
    }

    pub(super) fn receiver(&mut self, raw: &RawNotify) -> Option<Receiver> {
        let written = raw.to.as_ref()?;
        let receiver = Receiver::parse(&written.value);
        if let Err(wrong) = &receiver {
            let found = format!("`to` \"{}\" {wrong}", display_escaped(&written.value));
            self.reject_value(&NOTIFY, "to", written.position, found);
        }
        receiver.ok()
    }

    pub(super) fn reject_unsupported_keys(&mut self, raw: &RawNotify, transport: TransportDomain) {
        let is_supported = |key: &str| match transport {
            TransportDomain::Ssh => SSH_KEYS.contains(&key),
            TransportDomain::Tls | TransportDomain::Dtls => TLS_KEYS.contains(&key),
            _ => CLEAR_KEYS.contains(&key),
        };
        for (key, position) in raw.given.iter().filter(|(key, _)| !is_supported(key)) {
            let found = format!("a target over {transport} does not support `{key}`");
            self.problems.error(*position, found).hint("remove this line, or use another transport in `to`");
        }
    }

    fn message_model(
        &mut self,
        raw: &RawNotify,
        transport: TransportDomain,
    ) -> Option<MessageProcessingModel> {
        let Some(written) = &raw.version else { return Some(MessageProcessingModel::V3) };
        let model = match written.value.as_str() {
            "v3" => MessageProcessingModel::V3,
            "v2c" => MessageProcessingModel::V2c,
            "v1" => MessageProcessingModel::V1,
            other => {
                let found = format!("unknown version \"{}\"", display_escaped(other));
                self.reject_value(&NOTIFY, "version", written.position, found);
                return None;
            }
        };
        if transport.is_secure() && model != MessageProcessingModel::V3 {
            let found = format!("a target over {transport} cannot use version \"{}\"", written.value);
            self.problems.error(written.position, found).hint("remove `version`: v3 is the default");
            return None;
        }
        Some(model)
    }

    pub(super) fn notify_kind(
        &mut self,
        raw: &RawNotify,
        model: MessageProcessingModel,
    ) -> Option<NotifyType> {
        let is_v1 = model == MessageProcessingModel::V1;
        match raw.kind.as_ref().map(|written| (written, written.value.as_str())) {
            None if is_v1 => Some(NotifyType::Trap),
            None => Some(NotifyType::Inform),
            Some((written, "inform")) if is_v1 => {
                let problem = self.problems.error(written.position, "SNMPv1 has no informs");
                problem.hint("use kind = \"trap\", or version = \"v2c\"");
                None
            }
            Some((_, "inform")) => Some(NotifyType::Inform),
            Some((_, "trap")) => Some(NotifyType::Trap),
            Some((written, other)) => {
                let found = format!("unknown `kind` \"{}\"", display_escaped(other));
                self.reject_value(&NOTIFY, "kind", written.position, found);
                None
            }
        }
    }
}
