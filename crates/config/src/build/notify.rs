//! `[notifications]` and `[[notify]]`: the rows of a target, and everything else that is needed to
//! reach it.

mod checks;

use std::{
    net::{IpAddr, Ipv6Addr, SocketAddr},
    time::Duration,
};

use portreeve_lcd::{
    AccessKey, AccessRow, BoolScalar, CommunityKey, CommunityRow, ContextMatch, FamilyType, GroupKey,
    NotifyFilterKey, NotifyFilterProfileKey, NotifyFilterProfileRow, NotifyFilterRow, NotifyKey, NotifyRow,
    NotifyType, StorageType, TargetAddressKey, TargetAddressRow, TargetParamsKey, TargetParamsRow,
    TlsAddressKey, TlsAddressRow,
};
use portreeve_mib::{
    Object,
    modules::{
        ssh_tm_mib::SNMP_SSH_DOMAIN,
        tls_tm_mib::{SNMP_DTLS_UDP_DOMAIN, SNMP_TLS_TCP_DOMAIN},
        transport_address_mib as domains,
    },
};
use portreeve_secret::Secret;
use portreeve_smi::{MessageProcessingModel, Oid, SecurityLevel, SecurityModel, TransportDomain};

use self::checks::is_reserved;
use super::{
    Builder,
    names::{check_name, octets, quoted},
    objects::Subtree,
    short_form::VIEW_IN_CLEAR,
    views::ALL,
    weak::Weakness,
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

    /// Returns the parameters of the target, and adds the rows for the rights of its principal.
    fn target_params(
        &mut self,
        raw: &RawNotify,
        receiver: &Receiver,
        mp_model: MessageProcessingModel,
        index: &str,
        users: &[User],
    ) -> Option<TargetParamsRow> {
        let name = raw.name.as_ref()?;
        let mut row = TargetParamsRow::new(TargetParamsKey { name: octets(&name.value) });
        row.columns.mp_model = mp_model;
        let (model, security_name, level) = match (mp_model, receiver.transport.is_secure()) {
            (MessageProcessingModel::V3, true) => {
                let in_address = receiver.user.as_deref().filter(|_| raw.user.is_none());
                let user = raw.user.as_ref().map(|user| user.value.as_str()).or(in_address);
                if user.is_none() && receiver.transport == TransportDomain::Ssh {
                    let problem = self.problems.error(raw.position, "a target over ssh needs a user");
                    problem.hint("write to = \"ssh:USER@HOST\", or set `user`");
                    return None;
                }
                if let Some(user) = &raw.user {
                    check_name(&NOTIFY, "user", user, self.problems);
                }
                let name = user.unwrap_or(&name.value).to_owned();
                (SecurityModel::TSM, name, SecurityLevel::AuthPriv)
            }
            (MessageProcessingModel::V3, false) => {
                let (name, level) = self.usm_principal(raw, users)?;
                (SecurityModel::USM, name, level)
            }
            (community_model, _) => {
                self.notify_community(raw, index)?;
                let is_v1 = community_model == MessageProcessingModel::V1;
                let model = if is_v1 { SecurityModel::SNMP_V1 } else { SecurityModel::SNMP_V2C };
                (model, index.to_owned(), SecurityLevel::NoAuthNoPriv)
            }
        };
        self.notify_rights(raw, model, &security_name, level, index);
        row.columns.security_model = model;
        row.columns.security_name = octets(&security_name);
        row.columns.security_level = level;
        Some(row)
    }

    pub(super) fn usm_principal(
        &mut self,
        raw: &RawNotify,
        users: &[User],
    ) -> Option<(String, SecurityLevel)> {
        let community = raw.community.as_ref().map(|community| ("community", community.position));
        let file = raw.community_file.as_ref().map(|file| ("community-file", file.position));
        if let Some((key, position)) = community.or(file) {
            let found = format!("`{key}` needs version = \"v2c\" or \"v1\"");
            let problem = self.problems.error(position, found);
            problem.hint("set `user` instead, which is safer, or set `version`");
            return None;
        }
        let Some(user) = &raw.user else {
            let problem = self.problems.error(raw.position, "a target over udp or tcp needs `user`");
            problem.hint("set `user` to the name of a [[user]], or use ssh, tls or dtls in `to`");
            return None;
        };
        let level = match &raw.level {
            Some(written) => self.level(&NOTIFY, written)?,
            None => SecurityLevel::AuthPriv,
        };
        let position = raw.level.as_ref().map_or(user.position, |written| written.position);
        if level == SecurityLevel::NoAuthNoPriv {
            let (found, better) = ("level = \"noAuthNoPriv\"", "use level = \"authPriv\"");
            self.weak.check(Weakness::NoAuthNoPriv, position, found, better, self.problems);
        }
        let Some(known) = users.iter().find(|known| *known.name == *user.value.as_bytes()) else {
            let found = format!("undefined user \"{}\"", display_escaped(&user.value));
            self.problems.error(user.position, found).hint("add a [[user]] with this name");
            return None;
        };
        let has_keys = match level {
            SecurityLevel::NoAuthNoPriv => true,
            SecurityLevel::AuthNoPriv => known.auth.is_some(),
            SecurityLevel::AuthPriv => known.privacy.is_some(),
        };
        if !has_keys {
            let found = format!("the user has no keys for level \"{level}\"");
            self.problems.error(position, found).hint("set auth-pass and priv-pass in the [[user]]");
            return None;
        }
        Some((user.value.clone(), level))
    }

    /// Adds the row that assigns the community of a target to its principal.
    fn notify_community(&mut self, raw: &RawNotify, index: &str) -> Option<()> {
        let community = self.target_community(raw)?;
        let mut row = CommunityRow::new(CommunityKey { index: octets(index) });
        row.columns.name = community.expose().into();
        row.columns.security_name = octets(index);
        // Only the target itself may send messages with it, and it has no read view.
        row.columns.transport_tag = octets(index);
        self.rows.insert(row.into_active(StorageType::ReadOnly));
        Some(())
    }

    /// Returns the community of a target with v1 or v2c.
    pub(super) fn target_community(&mut self, raw: &RawNotify) -> Option<Secret> {
        if let Some(user) = &raw.user {
            let problem = self.problems.error(user.position, "`user` needs version = \"v3\"");
            problem.hint("remove `user`, or remove `version`");
            return None;
        }
        if let Some(level) = &raw.level {
            let problem = self.problems.error(level.position, "`level` needs version = \"v3\"");
            problem.hint("remove `level`, or remove `version`");
        }
        let from_file;
        let (secret, position): (&Secret, _) = match (&raw.community, &raw.community_file) {
            (Some(name), None) => (&name.value, name.position),
            (None, Some(file)) => {
                from_file = self.secret_in(&NOTIFY, "community-file", file)?;
                (&from_file, file.position)
            }
            (Some(_), Some(file)) => {
                let problem =
                    self.problems.error(file.position, "`community` and `community-file` are both given");
                problem.hint("remove `community` or `community-file`");
                return None;
            }
            (None, None) => {
                let problem = self.problems.error(raw.position, "a target with v1 or v2c needs `community`");
                problem.hint("set `community`, or use version = \"v3\" with `user`, which is safer");
                return None;
            }
        };
        let (found, better) = ("a community", "use version = \"v3\" with `user`");
        self.weak.check(Weakness::Communities, position, found, better, self.problems);
        if !(1..=MAX_COMMUNITY_LEN).contains(&secret.len()) {
            let found = format!("a community string of {} octets", secret.len());
            self.reject_value(&NOTIFY, "community", position, found);
            return None;
        }
        Some(secret.duplicate())
    }

    /// Adds a notify view for a principal that has no rights.
    fn notify_rights(
        &mut self,
        raw: &RawNotify,
        model: SecurityModel,
        security_name: &str,
        level: SecurityLevel,
        index: &str,
    ) {
        let key = GroupKey { model, security_name: octets(security_name) };
        if let Some(group) = self.rows.groups.get(&key) {
            let group = group.group_name.clone();
            if is_reserved(&group) {
                self.reject_other_view(raw, &group, model, security_name);
            } else if let Some(view) = &raw.view {
                let found = format!(
                    "`view` has no effect: \"{}\" has rights of its own",
                    display_escaped(security_name)
                );
                let problem = self.problems.error(view.position, found);
                problem.hint("remove `view`: the notify view of the user's group decides");
            }
            self.check_notify_rights(raw, &group, model, level);
            return;
        }
        let view = match &raw.view {
            Some(view) => {
                self.check_view("view", view);
                view.value.as_str()
            }
            None => {
                let view = if level.is_private() { ALL } else { VIEW_IN_CLEAR };
                self.add_standard_view(view);
                view
            }
        };
        self.add_group_member(model, security_name, octets(index), raw.position);
        let mut row =
            AccessRow::new(AccessKey { group_name: octets(index), context_prefix: octets(""), model, level });
        row.columns.context_match = ContextMatch::Prefix;
        row.columns.notify_view = octets(view);
        self.add_access_row(row, raw.position);
    }

    /// Reports a `view` that differs from that of an earlier target with the same principal.
    fn reject_other_view(
        &mut self,
        raw: &RawNotify,
        group: &[u8],
        model: SecurityModel,
        security_name: &str,
    ) {
        let Some(view) = &raw.view else { return };
        let first =
            self.rows.access.iter().find(|row| *row.key.group_name == *group && row.key.model == model);
        let Some(first) = first.filter(|row| *row.notify_view != *view.value.as_bytes()) else { return };
        let found = format!(
            "an earlier target of \"{}\" has the view \"{}\"",
            display_escaped(security_name),
            display_escaped(&String::from_utf8_lossy(&first.notify_view))
        );
        let problem = self.problems.error(view.position, found);
        problem.hint("use the same `view`, or another `user`");
    }

    /// Adds the address, and the row of snmpNotifyTable unless the target is a fallback.
    fn target_rows(
        &mut self,
        raw: &RawNotify,
        receiver: &Receiver,
        index: &str,
        selected: Option<NotifyType>,
    ) {
        let Some(name) = &raw.name else { return };
        let mut row = TargetAddressRow::new(TargetAddressKey { name: octets(&name.value) });
        row.columns.domain = Oid::new(&receiver.domain().oid()).unwrap_or_default();
        row.columns.address = receiver.address().into();
        row.columns.timeout = raw.timeout.unwrap_or(DEFAULT_TIMEOUT) * 100;
        row.columns.retry_count =
            raw.retries.and_then(|count| u8::try_from(count).ok()).unwrap_or(DEFAULT_RETRIES);
        row.columns.tag_list = octets(index);
        row.columns.params = octets(&name.value);
        self.rows.insert(row.into_active(StorageType::ReadOnly));
        if let Some(kind) = selected {
            let mut row = NotifyRow::new(NotifyKey { name: octets(index) });
            row.columns.tag = octets(index);
            row.columns.kind = kind;
            self.rows.insert(row.into_active(StorageType::ReadOnly));
        }
    }

    fn notify_filter(&mut self, raw: &RawNotify, name: &str, index: &str) {
        if raw.include.is_none() && raw.exclude.is_none() {
            return;
        }
        let mut profile = NotifyFilterProfileRow::new(NotifyFilterProfileKey { params_name: octets(name) });
        profile.columns.profile_name = octets(index);
        self.rows.insert(profile.into_active(StorageType::ReadOnly));
        if raw.include.is_none() {
            // Without `include`, everything else is included.
            let subtree = Subtree { oid: Oid::new(&[1]).unwrap_or_default(), mask: Vec::new() };
            self.filter_row(index, subtree, FamilyType::Included);
        }
        let lists = [
            ("include", &raw.include, FamilyType::Included),
            ("exclude", &raw.exclude, FamilyType::Excluded),
        ];
        for (key, list, kind) in lists {
            for written in list.iter().flatten() {
                match Subtree::parse(&written.value) {
                    Ok(subtree) => self.filter_row(index, subtree, kind),
                    Err(wrong) => {
                        let found = format!("\"{}\": {wrong}", display_escaped(&written.value));
                        self.reject_value(&NOTIFY, key, written.position, found);
                    }
                }
            }
        }
    }

    fn filter_row(&mut self, profile: &str, subtree: Subtree, kind: FamilyType) {
        let key = NotifyFilterKey { profile_name: octets(profile), subtree: subtree.oid };
        let mut row = NotifyFilterRow::new(key);
        row.columns.mask = subtree.mask.into();
        row.columns.kind = kind;
        self.rows.insert(row.into_active(StorageType::ReadOnly));
    }

    fn tls_address(&mut self, raw: &RawNotify, name: &str) {
        if raw.server_fingerprint.is_none() && raw.server_identity.is_none() {
            return;
        }
        let mut row = TlsAddressRow::new(TlsAddressKey { address_name: octets(name) });
        if let Some(written) = &raw.server_fingerprint
            && let Some(fingerprint) = self.fingerprint(&NOTIFY, "server-fingerprint", written)
        {
            row.columns.server_fingerprint = fingerprint.to_octets().into();
        }
        if let Some(written) = &raw.server_identity {
            if !(1..=255).contains(&written.value.len()) {
                let found = format!("`server-identity` has {} octets", written.value.len());
                self.reject_value(&NOTIFY, "server-identity", written.position, found);
            }
            row.columns.server_identity = octets(&written.value);
        }
        self.rows.insert(row.into_active(StorageType::ReadOnly));
    }
}

/// The parsed value of `to`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Receiver {
    pub(super) transport: TransportDomain,
    pub(super) user: Option<String>,
    pub(super) host: String,
    pub(super) port: u16,
}

impl Receiver {
    /// Parses an address. The error continues a sentence that begins with the parsed text.
    fn parse(text: &str) -> Result<Self, String> {
        let transports = [
            TransportDomain::Udp,
            TransportDomain::Tcp,
            TransportDomain::Ssh,
            TransportDomain::Tls,
            TransportDomain::Dtls,
        ];
        let (word, place) = text.split_once(':').ok_or("has no transport")?;
        let transport = transports.into_iter().find(|transport| transport.to_string() == word);
        let transport = transport.ok_or("has an unknown transport")?;
        let default_port = match transport {
            TransportDomain::Ssh => 5162,
            TransportDomain::Tls | TransportDomain::Dtls => 10_162,
            _ => 162,
        };
        let (user, place) = match place.rsplit_once('@') {
            Some((user, place)) if transport == TransportDomain::Ssh => (Some(user.to_owned()), place),
            Some(_) => return Err("names a user, which only ssh has".into()),
            None => (None, place),
        };
        if user.as_deref() == Some("") {
            return Err("has an empty user".into());
        }
        if user.as_ref().is_some_and(|user| user.len() > MAX_USER_LEN) {
            return Err(format!("has a user of more than {MAX_USER_LEN} octets"));
        }
        let (host, port) = split_port(place).ok_or("has an invalid port")?;
        let port = port.unwrap_or(default_port);
        let is_text = host.bytes().all(|octet| octet.is_ascii_graphic());
        if host.is_empty() || !is_text {
            return Err("has no valid host".into());
        }
        match host.parse() {
            Err(_) if !transport.is_secure() => {
                return Err("has a host name, but udp and tcp need an IP address".into());
            }
            Ok(IpAddr::V6(address)) if address.is_unicast_link_local() => {
                return Err("is link-local, so that it does not name an interface: use another address of the receiver".into());
            }
            _ => {}
        }
        let receiver = Self { transport, user, host: host.to_owned(), port };
        match receiver.address().len() {
            0..=MAX_ADDRESS_LEN => Ok(receiver),
            length => {
                Err(format!("has {length} octets with its port, but at most {MAX_ADDRESS_LEN} are allowed"))
            }
        }
    }

    fn domain(&self) -> &'static Object {
        let is_v4 = self.host.parse::<IpAddr>().is_ok_and(|address| address.is_ipv4());
        match self.transport {
            TransportDomain::Ssh => &SNMP_SSH_DOMAIN,
            TransportDomain::Tls => &SNMP_TLS_TCP_DOMAIN,
            TransportDomain::Dtls => &SNMP_DTLS_UDP_DOMAIN,
            TransportDomain::Tcp if is_v4 => &domains::TRANSPORT_DOMAIN_TCP_IPV4,
            TransportDomain::Tcp => &domains::TRANSPORT_DOMAIN_TCP_IPV6,
            _ if is_v4 => &domains::TRANSPORT_DOMAIN_UDP_IPV4,
            _ => &domains::TRANSPORT_DOMAIN_UDP_IPV6,
        }
    }

    /// Returns snmpTargetAddrTAddress: text for ssh, tls and dtls, octets for udp and tcp.
    fn address(&self) -> Vec<u8> {
        if !self.transport.is_secure()
            && let Ok(address) = self.host.parse::<IpAddr>()
        {
            let socket = SocketAddr::new(address, self.port);
            let mut octets = match socket.ip() {
                IpAddr::V4(address) => address.octets().to_vec(),
                IpAddr::V6(address) => address.octets().to_vec(),
            };
            octets.extend(self.port.to_be_bytes());
            return octets;
        }
        let user = self.user.as_ref().map_or_else(String::new, |user| format!("{user}@"));
        match self.host.parse::<Ipv6Addr>() {
            Ok(address) => format!("{user}[{address}]:{}", self.port),
            Err(_) => format!("{user}{}:{}", self.host, self.port),
        }
        .into_bytes()
    }
}

/// Splits `host`, `host:port`, `[v6]:port` and a literal IPv6 address; `None` if the port is
/// invalid.
fn split_port(place: &str) -> Option<(&str, Option<u16>)> {
    if place.parse::<Ipv6Addr>().is_ok() {
        return Some((place, None));
    }
    let (host, port) = match place.strip_prefix('[').and_then(|inner| inner.split_once(']')) {
        Some((host, "")) => return Some((host, None)),
        Some((host, rest)) => (host, rest.strip_prefix(':')?),
        None => match place.rsplit_once(':') {
            Some(parts) => parts,
            None => return Some((place, None)),
        },
    };
    let port = port.parse().ok().filter(|port| *port != 0)?;
    Some((host, Some(port)))
}

/// Maximum length of a community string in octets.
const MAX_COMMUNITY_LEN: usize = 255;
/// Maximum length of a login name in octets: that of a securityName.
const MAX_USER_LEN: usize = 32;
/// Maximum length of snmpTargetAddrTAddress in octets.
const MAX_ADDRESS_LEN: usize = 255;
/// The default timeout in seconds.
pub(super) const DEFAULT_TIMEOUT: u32 = 5;
pub(super) const DEFAULT_RETRIES: u8 = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn receiver_has_the_default_port_of_its_transport() {
        for (text, host, port) in [
            ("udp:192.0.2.1", "192.0.2.1", 162),
            ("tcp:2001:db8::1", "2001:db8::1", 162),
            ("udp:[2001:db8::1]:1162", "2001:db8::1", 1162),
            ("ssh:agent@noc.example", "noc.example", 5162),
            ("tls:noc.example", "noc.example", 10_162),
            ("dtls:noc.example:20162", "noc.example", 20_162),
        ] {
            let receiver = Receiver::parse(text).unwrap();
            assert_eq!((&*receiver.host, receiver.port), (host, port), "{text}");
        }
    }

    #[test]
    fn address_of_a_row_has_the_format_of_its_domain() {
        let address = |text| Receiver::parse(text).unwrap().address();
        assert_eq!(address("udp:192.0.2.1"), [192, 0, 2, 1, 0, 162]);
        assert_eq!(address("tcp:2001:db8::1").len(), 18);
        assert_eq!(address("ssh:a@noc:22"), b"a@noc:22");
        assert_eq!(address("tls:[2001:db8::1]"), b"[2001:db8::1]:10162");
    }

    #[test]
    fn malformed_receiver_is_rejected() {
        for text in [
            "192.0.2.1",
            "http:noc",
            "udp:noc.example",
            "udp:a@192.0.2.1",
            "ssh:@noc",
            "ssh:noc:0",
            "tls:noc:x",
            "tls:",
            "dtls:a b",
        ] {
            assert!(Receiver::parse(text).is_err(), "{text}");
        }
    }
}
