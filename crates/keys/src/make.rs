//! The commands that create files.

mod authorities;
mod holder;
mod renew;
mod revoke;
mod sign;
mod signers;

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use portreeve_pki::{HolderRole, Validity};

use crate::{CommandError, Report, arguments::Args, show};

pub(crate) use authorities::make as authorities;
pub(crate) use renew::renew;
pub(crate) use revoke::revoke;
pub(crate) use sign::sign;

/// Creates the credentials of an agent's host.
pub(crate) fn host(args: &Args) -> Result<Report, CommandError> {
    holder::make(HolderRole::Host, args)
}

/// Creates the credentials of a user.
pub(crate) fn user(args: &Args) -> Result<Report, CommandError> {
    holder::make(HolderRole::User, args)
}

/// Returns a validity period that begins now. It has the number of days on the command line, or by
/// default `default_days`.
fn validity(args: &Args, default_days: u32, now: SystemTime) -> Validity {
    Validity::from_now(now, Duration::from_secs(u64::from(args.days.unwrap_or(default_days)) * DAY))
}

fn default_days(role: HolderRole) -> u32 {
    match role {
        HolderRole::Host => 825,
        HolderRole::User => 365,
    }
}

/// Describes the created files and the renamed old files.
fn describe(made: &[PathBuf], kept: &[PathBuf], below: &Path) -> String {
    let mut text = format!("created in {}:\n", below.display());
    text += &show::table(made, below);
    for path in kept {
        let _ = writeln!(text, "kept: {}", path.display());
    }
    text
}

/// The number of seconds in a day.
const DAY: u64 = 86_400;
