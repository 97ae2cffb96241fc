//! The flags.

mod communication;
mod doctor;
mod extensions;
mod general;
mod net_snmp;
mod secure;
mod translate;
mod user;

use std::{borrow::Cow, ffi::OsStr};

use super::{Action::Apply, Flag, Group, Name, Refused};
use crate::verb::Verb;

use Group::{Communication, Community, Debugging, Extensions, General, User};
use Name::{Both, Long, Short};

pub(crate) use secure::read_time;

/// Every flag, in the order in which the help shows those of one group.
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
    ];
    files.into_iter().flatten()
}

fn text(value: &OsStr) -> Cow<'_, str> {
    value.to_string_lossy()
}

fn refuse(message: &str, value: &OsStr) -> Result<(), Refused> {
    Err(Refused::usage(format!("{message}: {}", text(value))))
}

/// Verbs that speak with an agent.
const ASKING: &[Verb] = &[
    Verb::Get,
    Verb::GetNext,
    Verb::BulkGet,
    Verb::Walk,
    Verb::BulkWalk,
    Verb::Set,
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
/// Those of them that ask for something of the user's choice.
const CHOOSING: &[Verb] = ASKING.split_at(ASKING.len() - 1).0;
/// Verbs whose answer is data.
const READING: &[Verb] = &[Verb::Get, Verb::GetNext, Verb::BulkGet, Verb::Walk, Verb::BulkWalk, Verb::Table];
const WALKING: &[Verb] = &[Verb::Walk, Verb::BulkWalk];
