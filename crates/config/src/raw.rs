//! What was written, and where: every key of every section, not yet judged.

mod sessions;

use portreeve_secret::Secret;
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use crate::{
    options::{self, SECTIONS, Section},
    problem::{Place, Problems},
    reader::{Reader, Written, place_of, shown, unknown},
};

pub(crate) use sessions::{RawSessionUser, RawSessions, RawSsh, RawTls, RawTlsName};

type Text = Option<Written<String>>;
type List = Option<Vec<Written<String>>>;

/// The whole file.
#[derive(Default)]
pub(crate) struct Raw {
    pub(crate) agent: RawAgent,
    pub(crate) system: RawSystem,
    pub(crate) limits: RawLimits,
    pub(crate) weak: RawWeak,
    pub(crate) listen: Vec<RawListen>,
    pub(crate) ssh: RawSsh,
    pub(crate) tls: RawTls,
    pub(crate) tls_names: Vec<RawTlsName>,
    pub(crate) sessions: RawSessions,
    pub(crate) users: Vec<RawUser>,
    pub(crate) session_users: Vec<RawSessionUser>,
    pub(crate) communities: Vec<RawCommunity>,
    pub(crate) views: Vec<RawView>,
    pub(crate) groups: Vec<RawGroup>,
    pub(crate) access: Vec<RawAccess>,
    pub(crate) contexts: Vec<RawContext>,
}

impl Raw {
    /// Takes over what `document` says. What cannot be read is reported and left out.
    pub(crate) fn read(document: &DeTable<'_>, problems: &mut Problems) -> Self {
        for key in document.keys() {
            let name = key.get_ref();
            if !SECTIONS.iter().any(|section| section.name == name) {
                let known = SECTIONS.iter().map(|section| section.name);
                unknown(
                    problems,
                    place_of(key),
                    &format!("there is no section `{}`", shown(name)),
                    name,
                    known,
                );
            }
        }
        Self {
            agent: one(document, &options::AGENT, problems, RawAgent::read),
            system: one(document, &options::SYSTEM, problems, RawSystem::read),
            limits: one(document, &options::LIMITS, problems, RawLimits::read),
            weak: one(document, &options::WEAK, problems, RawWeak::read),
            listen: each(document, &options::LISTEN, problems, RawListen::read),
            ssh: one(document, &options::SSH, problems, RawSsh::read),
            tls: one(document, &options::TLS, problems, RawTls::read),
            tls_names: each(document, &options::TLS_NAME, problems, RawTlsName::read),
            sessions: one(document, &options::SESSIONS, problems, RawSessions::read),
            users: each(document, &options::USER, problems, RawUser::read),
            session_users: each(document, &options::SESSION_USER, problems, RawSessionUser::read),
            communities: each(document, &options::COMMUNITY, problems, RawCommunity::read),
            views: each(document, &options::VIEW, problems, RawView::read),
            groups: each(document, &options::GROUP, problems, RawGroup::read),
            access: each(document, &options::ACCESS, problems, RawAccess::read),
            contexts: each(document, &options::CONTEXT, problems, RawContext::read),
        }
    }
}

impl Raw {
    /// Whether a pass phrase, key or community string stands in the file itself.
    pub(crate) fn holds_secrets(&self) -> bool {
        let in_user = |user: &RawUser| {
            [&user.auth, &user.privacy].into_iter().any(|key| key.pass.is_some() || key.key.is_some())
        };
        self.users.iter().any(in_user) || self.communities.iter().any(|community| community.name.is_some())
    }
}

#[derive(Default)]
pub(crate) struct RawAgent {
    pub(crate) engine_id: Text,
    pub(crate) state_dir: Text,
    pub(crate) workers: Option<u32>,
    pub(crate) max_message_size: Option<u32>,
}

impl RawAgent {
    fn read(reader: &mut Reader<'_, '_>) -> Self {
        Self {
            engine_id: reader.text("engine-id"),
            state_dir: reader.text("state-dir"),
            workers: reader.number("workers"),
            max_message_size: reader.number("max-message-size"),
        }
    }
}

#[derive(Default)]
pub(crate) struct RawSystem {
    pub(crate) contact: Text,
    pub(crate) name: Text,
    pub(crate) location: Text,
    pub(crate) descr: Text,
    pub(crate) object_id: Text,
    pub(crate) services: Option<u32>,
}

impl RawSystem {
    fn read(reader: &mut Reader<'_, '_>) -> Self {
        Self {
            contact: reader.text("contact"),
            name: reader.text("name"),
            location: reader.text("location"),
            descr: reader.text("descr"),
            object_id: reader.text("object-id"),
            services: reader.number("services"),
        }
    }
}

#[derive(Default)]
pub(crate) struct RawLimits {
    pub(crate) connections: Option<u32>,
    pub(crate) connections_per_source: Option<u32>,
    pub(crate) grace: Option<u32>,
    pub(crate) idle: Option<u32>,
    pub(crate) stall: Option<u32>,
    pub(crate) community_datagram: Option<u32>,
}

impl RawLimits {
    fn read(reader: &mut Reader<'_, '_>) -> Self {
        Self {
            connections: reader.number("connections"),
            connections_per_source: reader.number("connections-per-source"),
            grace: reader.number("grace"),
            idle: reader.number("idle"),
            stall: reader.number("stall"),
            community_datagram: reader.number("community-datagram"),
        }
    }
}

#[derive(Default)]
pub(crate) struct RawWeak {
    pub(crate) allow: Vec<Written<String>>,
}

impl RawWeak {
    fn read(reader: &mut Reader<'_, '_>) -> Self {
        Self { allow: reader.list("allow").unwrap_or_default() }
    }
}

pub(crate) struct RawListen {
    pub(crate) place: Place,
    pub(crate) transport: Text,
    pub(crate) address: Text,
    pub(crate) nodelay: Option<bool>,
    pub(crate) window: Text,
    pub(crate) path: Text,
    pub(crate) users: List,
    pub(crate) group: Text,
    /// The keys that are given, readable or not.
    pub(crate) given: Vec<(&'static str, Place)>,
}

impl RawListen {
    fn read(reader: &mut Reader<'_, '_>) -> Self {
        let keys = options::LISTEN.options.iter().map(|option| option.name);
        Self {
            place: reader.place,
            given: keys.filter_map(|name| Some((name, reader.place_of(name)?))).collect(),
            transport: reader.text("transport"),
            address: reader.text("address"),
            nodelay: reader.switch("nodelay"),
            window: reader.text("window"),
            path: reader.text("path"),
            users: reader.list("users"),
            group: reader.text("group"),
        }
    }
}

impl RawListen {
    /// Whether sessions come through a socket of this machine, not from the network.
    pub(crate) fn is_behind_sshd(&self) -> bool {
        self.transport.as_ref().is_some_and(|transport| transport.value == BEHIND_SSHD)
    }
}

pub(crate) struct RawUser {
    pub(crate) place: Place,
    pub(crate) name: Text,
    pub(crate) auth: RawKey,
    pub(crate) privacy: RawKey,
    pub(crate) level: Text,
    pub(crate) access: Text,
    pub(crate) view: Text,
    pub(crate) contexts: List,
}

/// An algorithm, and the three ways to give a key for it.
pub(crate) struct RawKey {
    pub(crate) protocol: Text,
    pub(crate) pass: Option<Written<Secret>>,
    pub(crate) pass_file: Text,
    pub(crate) key: Option<Written<Secret>>,
    /// The keys of the file that stand for any of these, in this order and with their places, whether or not they could be read.
    pub(crate) written: Vec<(&'static str, Place)>,
}

impl RawKey {
    fn read(reader: &mut Reader<'_, '_>, names: [&'static str; 4]) -> Self {
        let [protocol, pass, pass_file, key] = names;
        Self {
            protocol: reader.text(protocol),
            pass: reader.secret(pass),
            pass_file: reader.text(pass_file),
            key: reader.secret(key),
            written: names.into_iter().filter_map(|name| Some((name, reader.place_of(name)?))).collect(),
        }
    }

    /// Whether anything is said about this key, so that there has to be one.
    pub(crate) fn is_wanted(&self) -> bool {
        !self.written.is_empty()
    }
}

impl RawUser {
    fn read(reader: &mut Reader<'_, '_>) -> Self {
        let name = reader.text("name");
        Self {
            place: reader.place,
            name: reader.require("name", name),
            auth: RawKey::read(reader, ["auth", "auth-pass", "auth-pass-file", "auth-key"]),
            privacy: RawKey::read(reader, ["priv", "priv-pass", "priv-pass-file", "priv-key"]),
            level: reader.text("level"),
            access: reader.text("access"),
            view: reader.text("view"),
            contexts: reader.list("contexts"),
        }
    }
}

pub(crate) struct RawCommunity {
    pub(crate) place: Place,
    pub(crate) name: Option<Written<Secret>>,
    pub(crate) name_file: Text,
    pub(crate) versions: List,
    pub(crate) security_name: Text,
    pub(crate) sources: List,
    pub(crate) context: Text,
    pub(crate) access: Text,
    pub(crate) view: Text,
}

impl RawCommunity {
    fn read(reader: &mut Reader<'_, '_>) -> Self {
        let name = reader.secret("name");
        let name_file = reader.text("name-file");
        Self {
            place: reader.place,
            name: if name_file.is_none() { reader.require("name", name) } else { name },
            name_file,
            versions: reader.list("versions"),
            security_name: reader.text("security-name"),
            sources: reader.list("sources"),
            context: reader.text("context"),
            access: reader.text("access"),
            view: reader.text("view"),
        }
    }
}

pub(crate) struct RawView {
    pub(crate) place: Place,
    pub(crate) name: Text,
    pub(crate) include: Vec<Written<String>>,
    pub(crate) exclude: Vec<Written<String>>,
}

impl RawView {
    fn read(reader: &mut Reader<'_, '_>) -> Self {
        let name = reader.text("name");
        Self {
            place: reader.place,
            name: reader.require("name", name),
            include: reader.list("include").unwrap_or_default(),
            exclude: reader.list("exclude").unwrap_or_default(),
        }
    }
}

pub(crate) struct RawGroup {
    pub(crate) place: Place,
    pub(crate) name: Text,
    pub(crate) members: Vec<Written<String>>,
}

impl RawGroup {
    fn read(reader: &mut Reader<'_, '_>) -> Self {
        let name = reader.text("name");
        Self {
            place: reader.place,
            name: reader.require("name", name),
            members: reader.list("members").unwrap_or_default(),
        }
    }
}

pub(crate) struct RawAccess {
    pub(crate) place: Place,
    pub(crate) group: Text,
    pub(crate) context: Text,
    pub(crate) context_match: Text,
    pub(crate) model: Text,
    pub(crate) level: Text,
    pub(crate) read: Text,
    pub(crate) write: Text,
    pub(crate) notify: Text,
}

impl RawAccess {
    fn read(reader: &mut Reader<'_, '_>) -> Self {
        let group = reader.text("group");
        Self {
            place: reader.place,
            group: reader.require("group", group),
            context: reader.text("context"),
            context_match: reader.text("context-match"),
            model: reader.text("model"),
            level: reader.text("level"),
            read: reader.text("read"),
            write: reader.text("write"),
            notify: reader.text("notify"),
        }
    }
}

pub(crate) struct RawContext {
    pub(crate) name: Text,
}

impl RawContext {
    fn read(reader: &mut Reader<'_, '_>) -> Self {
        let name = reader.text("name");
        Self { name: reader.require("name", name) }
    }
}

/// Reads a section that stands in the file once or not at all.
fn one<T: Default>(
    document: &DeTable<'_>,
    section: &'static Section,
    problems: &mut Problems,
    read: impl Fn(&mut Reader<'_, '_>) -> T,
) -> T {
    let Some(value) = document.get(section.name) else { return T::default() };
    match value.get_ref() {
        DeValue::Table(table) => read(&mut Reader::new(section, table, place_of(value), problems)),
        found => {
            wrong_shape(section, place_of(value), found, problems);
            T::default()
        }
    }
}

/// Reads a section that stands in the file any number of times.
fn each<T>(
    document: &DeTable<'_>,
    section: &'static Section,
    problems: &mut Problems,
    read: impl Fn(&mut Reader<'_, '_>) -> T,
) -> Vec<T> {
    let Some(value) = find(document, section.name) else { return Vec::new() };
    let DeValue::Array(entries) = value.get_ref() else {
        wrong_shape(section, place_of(value), value.get_ref(), problems);
        return Vec::new();
    };
    let mut found = Vec::new();
    for entry in entries {
        match entry.get_ref() {
            DeValue::Table(table) => {
                found.push(read(&mut Reader::new(section, table, place_of(entry), problems)));
            }
            other => wrong_shape(section, place_of(entry), other, problems),
        }
    }
    found
}

/// The value of a section, which may stand in another: `outer.inner`.
fn find<'d>(document: &'d DeTable<'d>, name: &str) -> Option<&'d Spanned<DeValue<'d>>> {
    match name.split_once('.') {
        None => document.get(name),
        Some((outer, inner)) => match document.get(outer)?.get_ref() {
            DeValue::Table(table) => table.get(inner),
            _ => None,
        },
    }
}

fn wrong_shape(section: &Section, place: Place, found: &DeValue<'_>, problems: &mut Problems) {
    let article = if section.repeated { "a list of tables" } else { "one table" };
    let found = format!("`{}` is {article}, found a TOML {}", section.name, found.type_str());
    problems.error(place, found).hint(format!("begin it with a line {}", section.heading()));
}

/// The transport of listeners that are no address.
const BEHIND_SSHD: &str = "behind-sshd";
