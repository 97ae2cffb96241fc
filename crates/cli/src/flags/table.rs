//! The definitions of all flags.

mod communication;
mod doctor;
mod extensions;
mod general;
mod net_snmp;
mod secure;
mod translate;
mod user;
mod via_daemon;

use std::{borrow::Cow, ffi::OsStr};

use super::{Action::Apply, Flag, FlagError, FlagGroup, FlagName};
use crate::verb::Verb;

use FlagGroup::{Communication, Community, Debugging, Extensions, General, User};
use FlagName::{Both, Long, Short};

pub(crate) use secure::parse_time;
pub(super) use via_daemon::{DAEMON_FLAG, check_combination};

/// Returns every flag. The flags of one group are in the order of the help text.
pub(super) fn all() -> impl Iterator<Item = &'static Flag> {
    let files = [
        general::FLAGS,
        communication::FLAGS,
        user::FLAGS,
        extensions::FLAGS,
        net_snmp::FLAGS,
        secure::FLAGS,
        doctor::FLAGS,
        translate::FLAGS,
        via_daemon::FLAGS,
    ];
    files.into_iter().flatten()
}

fn text(value: &OsStr) -> Cow<'_, str> {
    value.to_string_lossy()
}

fn usage_error(message: &str, value: &OsStr) -> Result<(), FlagError> {
    Err(FlagError::usage(format!("{message}: {}", text(value))))
}

/// Verbs that send requests to an agent.
const AGENT_VERBS: &[Verb] = &[
    Verb::Get,
    Verb::GetNext,
    Verb::BulkGet,
    Verb::Walk,
    Verb::BulkWalk,
    Verb::Set,
    Verb::Trap,
    Verb::Inform,
    Verb::Table,
    Verb::Status,
    Verb::Test,
    Verb::Delta,
    Verb::Df,
    Verb::Netstat,
    Verb::Usm,
    Verb::Vacm,
    Verb::Doctor,
];
/// Verbs that send requests of the user's choice: all but `doctor`.
const REQUEST_VERBS: &[Verb] = AGENT_VERBS.split_at(AGENT_VERBS.len() - 1).0;
/// Verbs that print variables or rows, and support the data formats.
const DATA_VERBS: &[Verb] =
    &[Verb::Get, Verb::GetNext, Verb::BulkGet, Verb::Walk, Verb::BulkWalk, Verb::Table];
