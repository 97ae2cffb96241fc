//! Builds the configuration from the raw values: resolves names, checks weak choices and expands
//! short forms to rows.
//!
//! Every section is built even if another one has errors, so that all problems are reported at
//! once. If there is an error, the result is discarded.

mod access;
mod agent;
mod communities;
mod forward;
mod keys;
mod listeners;
mod names;
mod netconf;
mod networks;
mod notify;
mod objects;
mod receiver;
mod relays;
mod session_users;
mod short_form;
mod ssh;
mod tls;
mod users;
mod views;
mod weak;

use std::path::Path;

use portreeve_lcd::Tables;

use self::{names::DefinedNames, weak::AllowedWeaknesses};
use crate::{
    Config, ConfigLines, Files, ReceiverConfig, Severity,
    options::Section,
    problem::{Problems, TextPosition},
    raw::Raw,
    receiver::RawReceiver,
};

/// Builds the configuration. The result is valid if `problems` has no errors afterwards.
pub(crate) fn build(raw: &Raw, file: &Path, files: &dyn Files, problems: &mut Problems) -> Config {
    let weak = AllowedWeaknesses::build(&raw.weak, problems);
    let names = DefinedNames::collect(raw, problems);
    let rows = Tables { allowed_weaknesses: weak.for_rows_made_by_set(), ..Tables::default() };
    let mut builder = Builder { files, weak, names, problems, rows, role: Role::Agent };
    builder.views(&raw.views);
    builder.contexts(&raw.contexts);
    builder.groups(&raw.groups);
    builder.access(&raw.access);
    builder.sessions(&raw.sessions);
    let users = builder.users(&raw.users);
    builder.session_users(&raw.session_users);
    builder.communities(&raw.communities);
    let agent = builder.agent(&raw.agent);
    let system = builder.system(&raw.system);
    let log = builder.log(&raw.log);
    let limits = builder.limits(&raw.limits);
    let listeners = builder.listeners(&raw.listen, raw.netconf.position.is_some());
    let relays = builder.relays(&raw.listen);
    let ssh = builder.ssh(&raw.ssh, &listeners);
    let tls = builder.tls(&raw.tls, &raw.tls_names, &listeners);
    let netconf = builder.netconf(&raw.netconf, &listeners);
    let yang = builder.yang(&raw.yang);
    let notifications = builder.notifications(&raw.notifications);
    let notify_targets = builder.notify(raw, &users);
    if netconf.as_ref().is_none_or(|netconf| netconf.recovery.is_empty()) {
        builder.warn_without_session_rights(&listeners);
    }
    let listeners = listeners.into_iter().map(|(listener, _)| listener).collect();
    let rows = builder.rows;
    check_file_modes(raw.holds_secrets(), file, files, problems);
    let lines = ConfigLines::of(raw, problems);
    Config {
        agent,
        system,
        log,
        listeners,
        relays,
        limits,
        ssh,
        tls,
        netconf,
        yang,
        users,
        notifications,
        notify_targets,
        lines,
        rows,
    }
}

/// Builds the configuration of the receiver of notifications. The result is valid if `problems` has
/// no errors afterwards.
pub(crate) fn build_receiver(
    raw: &RawReceiver,
    file: &Path,
    files: &dyn Files,
    problems: &mut Problems,
) -> ReceiverConfig {
    let RawReceiver { shared, receive, accept, senders, handlers, forwards } = raw;
    let weak = AllowedWeaknesses::build(&shared.weak, problems);
    let names = DefinedNames::collect(shared, problems);
    let rows = Tables { allowed_weaknesses: weak.for_rows_made_by_set(), ..Tables::default() };
    let mut builder = Builder { files, weak, names, problems, rows, role: Role::Receiver };
    let users = builder.users(&shared.users);
    builder.communities(&shared.communities);
    let agent = builder.receiver_engine(receive);
    let limits = builder.limits(&shared.limits);
    let listeners = builder.listeners(&shared.listen, false);
    let relays = builder.relays(&shared.listen);
    let ssh = builder.ssh(&shared.ssh, &listeners);
    let tls = builder.tls(&shared.tls, &shared.tls_names, &listeners);
    let output = builder.receiver_output(receive);
    let accept = builder.accept(accept);
    let senders = builder.senders(senders, &users);
    let handlers = builder.handlers(handlers);
    let forwards = builder.forwards(forwards, &users, shared);
    let rows = builder.rows;
    check_file_modes(raw.holds_secrets(), file, files, problems);
    let shared = Config {
        agent,
        system: Default::default(),
        log: Default::default(),
        listeners: listeners.into_iter().map(|(listener, _)| listener).collect(),
        relays,
        limits,
        ssh,
        tls,
        netconf: None,
        yang: Default::default(),
        users,
        notifications: Default::default(),
        notify_targets: Vec::new(),
        lines: ConfigLines::of(shared, problems),
        rows,
    };
    ReceiverConfig { shared, output, accept, senders, handlers, forwards }
}

/// Warns if other users can change the file, or read secrets in it.
fn check_file_modes(holds_secrets: bool, file: &Path, files: &dyn Files, problems: &mut Problems) {
    let name: &Path = file.file_name().unwrap_or_default().as_ref();
    if files.is_writable_by_others(name) {
        problems
            .whole_file(Severity::Warning, "other users can change this file and give themselves rights")
            .hint(format!("chmod go-w {}", file.display()));
    }
    if holds_secrets && files.is_open_to_others(name) {
        problems
            .whole_file(Severity::Warning, "contains secrets and is readable by other users")
            .hint(format!("chmod 600 {}", file.display()));
    }
}

impl Builder<'_> {
    /// Reports a value that the option does not accept, and lists the accepted values.
    fn reject_value(
        &mut self,
        section: &Section,
        key: &str,
        position: TextPosition,
        found: impl Into<String>,
    ) {
        let accepted = section.option(key).map_or("", |option| option.accepted);
        self.problems.error(position, found).accepted(accepted);
    }
}

/// State shared by the section builders.
struct Builder<'a> {
    files: &'a dyn Files,
    weak: AllowedWeaknesses,
    names: DefinedNames,
    problems: &'a mut Problems,
    rows: Tables,
    role: Role,
}

/// The program that a file configures.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Agent,
    /// The receiver of notifications. Its users need no rights, and its ports are others.
    Receiver,
}
