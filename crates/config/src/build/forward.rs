//! `[[forward]]`: the targets to which the receiver forwards notifications.

use std::time::Duration;

use portreeve_lcd::NotifyType;
use portreeve_smi::{MessageProcessingModel, Oid};

use super::{
    Builder,
    names::{check_name, octets},
    notify::{DEFAULT_RETRIES, DEFAULT_TIMEOUT, Receiver},
    objects::Subtree,
};
use crate::{
    Forward, ForwardAddress, ForwardSecurity, ForwardSession, KeySource, User,
    options::FORWARD,
    raw::{Raw, RawForward, RawNotify},
    reader::{Located, display_escaped},
};

impl Builder<'_> {
    /// Builds the targets of `file`, whose key and certificate they use if they have none.
    pub(super) fn forwards(&mut self, raw: &[RawForward], users: &[User], file: &Raw) -> Vec<Forward> {
        raw.iter().filter_map(|forward| self.forward(forward, users, file)).collect()
    }

    fn forward(&mut self, raw: &RawForward, users: &[User], file: &Raw) -> Option<Forward> {
        let target = &raw.target;
        let receiver = self.receiver(target)?;
        self.reject_unsupported_keys(target, receiver.transport);
        let version = self.forward_version(target, &receiver)?;
        let model = match version {
            ForwardVersion::AsReceived => MessageProcessingModel::V2c,
            ForwardVersion::Fixed(model) => model,
        };
        let kind = self.notify_kind(target, model)?;
        self.check_ssh_key(target, receiver.transport, &file.ssh);
        self.check_tls_trust(target, receiver.transport, &file.tls);
        let security = match (version, model) {
            (ForwardVersion::AsReceived, _) => self.as_received(target)?,
            (_, MessageProcessingModel::V3) if receiver.transport.is_secure() => {
                ForwardSecurity::Session(Box::new(self.forward_session(target, &receiver)?))
            }
            (_, MessageProcessingModel::V3) => self.forward_user(target, kind, users)?,
            (_, community_model) => {
                ForwardSecurity::Community(community_model, self.target_community(target)?)
            }
        };
        Some(Forward {
            notifications: self.forwarded_subtrees(raw),
            to: ForwardAddress { transport: receiver.transport, host: receiver.host, port: receiver.port },
            security,
            is_confirmed: kind == NotifyType::Inform,
            timeout: Duration::from_secs(target.timeout.unwrap_or(DEFAULT_TIMEOUT).into()),
            retries: target.retries.and_then(|count| u8::try_from(count).ok()).unwrap_or(DEFAULT_RETRIES),
            queue_octets: target.queue_size.map_or(DEFAULT_QUEUE, |size| size as usize),
            queue_age: Duration::from_secs(target.queue_age.unwrap_or(DEFAULT_QUEUE_AGE).into()),
            line: self.problems.line(target.position),
        })
    }

    fn forward_version(&mut self, raw: &RawNotify, receiver: &Receiver) -> Option<ForwardVersion> {
        let Some(written) = &raw.version else {
            return Some(ForwardVersion::Fixed(MessageProcessingModel::V3));
        };
        let version = match written.value.as_str() {
            "v3" => ForwardVersion::Fixed(MessageProcessingModel::V3),
            "v2c" => ForwardVersion::Fixed(MessageProcessingModel::V2c),
            "v1" => ForwardVersion::Fixed(MessageProcessingModel::V1),
            "as-received" => ForwardVersion::AsReceived,
            other => {
                let found = format!("unknown version \"{}\"", display_escaped(other));
                self.reject_value(&FORWARD, "version", written.position, found);
                return None;
            }
        };
        let transport = receiver.transport;
        if transport.is_secure() && version != ForwardVersion::Fixed(MessageProcessingModel::V3) {
            let found = format!("a target over {transport} cannot use version \"{}\"", written.value);
            self.problems.error(written.position, found).hint("remove `version`: v3 is the default");
            return None;
        }
        Some(version)
    }

    /// Rejects the keys that a target with the version of the received message does not use.
    fn as_received(&mut self, raw: &RawNotify) -> Option<ForwardSecurity> {
        let texts = [("user", &raw.user), ("level", &raw.level), ("community-file", &raw.community_file)];
        let texts = texts.into_iter().filter_map(|(key, text)| Some((key, text.as_ref()?.position)));
        let community = raw.community.as_ref().map(|community| ("community", community.position));
        let mut is_valid = true;
        for (key, position) in texts.chain(community) {
            let found = format!("`{key}` has no effect with version = \"as-received\"");
            self.problems.error(position, found).hint("remove this line, or use another version");
            is_valid = false;
        }
        is_valid.then_some(ForwardSecurity::AsReceived)
    }

    fn forward_user(&mut self, raw: &RawNotify, kind: NotifyType, users: &[User]) -> Option<ForwardSecurity> {
        let (name, level) = self.usm_principal(raw, users)?;
        let user = users.iter().find(|user| *user.name == *name.as_bytes())?;
        let keys = [user.auth.as_ref().map(|key| &key.1), user.privacy.as_ref().map(|key| &key.1)];
        let is_localized = keys.into_iter().flatten().any(|key| matches!(key, KeySource::Localized(_)));
        if is_localized && kind == NotifyType::Inform {
            let position = raw.user.as_ref().map_or(raw.position, |written| written.position);
            let found = "informs need a user with pass phrases: its keys at the target are not known";
            let problem = self.problems.error(position, found);
            problem.hint("set auth-pass and priv-pass in the [[user]], or use kind = \"trap\"");
            return None;
        }
        Some(ForwardSecurity::User(octets(&name), level))
    }

    fn forward_session(&mut self, raw: &RawNotify, receiver: &Receiver) -> Option<ForwardSession> {
        use portreeve_smi::TransportDomain::Ssh;
        let login = match (&raw.user, &receiver.user, receiver.transport) {
            (Some(user), _, Ssh) => {
                check_name(&FORWARD, "user", user, self.problems);
                user.value.clone()
            }
            (None, Some(user), _) => user.clone(),
            (None, None, Ssh) => {
                let problem = self.problems.error(raw.position, "a target over ssh needs a user");
                problem.hint("write to = \"ssh:USER@HOST\", or set `user`");
                return None;
            }
            (Some(user), _, transport) => {
                let found = format!("a target over {transport} does not support `user`");
                let problem = self.problems.error(user.position, found);
                problem.hint("remove this line: the certificate determines the principal");
                return None;
            }
            (None, None, _) => String::new(),
        };
        let file = |written: &Option<Located<String>>| written.as_ref().map(|file| self.file_at(file));
        let (ssh_key, known_hosts) = (file(&raw.ssh_key), file(&raw.known_hosts));
        let (certificate, key) = (file(&raw.certificate), file(&raw.key));
        let authorities = raw.authorities.iter().flatten().map(|file| self.file_at(file)).collect();
        let fingerprint = raw.server_fingerprint.as_ref();
        let server_fingerprint =
            fingerprint.and_then(|written| self.fingerprint(&FORWARD, "server-fingerprint", written));
        let server_identity = raw.server_identity.as_ref().map(|written| {
            if !(1..=255).contains(&written.value.len()) {
                let found = format!("`server-identity` has {} octets", written.value.len());
                self.reject_value(&FORWARD, "server-identity", written.position, found);
            }
            written.value.clone()
        });
        Some(ForwardSession {
            login,
            ssh_key,
            known_hosts,
            certificate,
            key,
            authorities,
            server_fingerprint,
            server_identity,
        })
    }

    fn forwarded_subtrees(&mut self, raw: &RawForward) -> Vec<Oid> {
        let mut subtrees = Vec::new();
        for written in raw.notifications.iter().flatten() {
            match Subtree::parse(&written.value) {
                Ok(subtree) if subtree.mask.is_empty() => subtrees.push(subtree.oid),
                Ok(_) => {
                    let found =
                        format!("\"{}\" must be a subtree, without *", display_escaped(&written.value));
                    self.reject_value(&FORWARD, "notifications", written.position, found);
                }
                Err(wrong) => {
                    let found = format!("\"{}\": {wrong}", display_escaped(&written.value));
                    self.reject_value(&FORWARD, "notifications", written.position, found);
                }
            }
        }
        if raw.notifications.as_ref().is_some_and(Vec::is_empty) {
            let problem = self.problems.error(raw.target.position, "`notifications` is empty");
            problem.hint("remove `notifications` to forward all, or list subtrees");
        }
        subtrees
    }
}

/// The version of the messages to a target.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ForwardVersion {
    /// That of the received message.
    AsReceived,
    Fixed(MessageProcessingModel),
}

const DEFAULT_QUEUE: usize = 16 << 20;
const DEFAULT_QUEUE_AGE: u32 = 3600;
