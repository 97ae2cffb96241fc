//! The commands that make something.

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

/// What an agent on a host needs.
pub(crate) fn host(args: &Args) -> Result<Report, CommandError> {
    holder::make(HolderRole::Host, args)
}

/// What a user needs.
pub(crate) fn user(args: &Args) -> Result<Report, CommandError> {
    holder::make(HolderRole::User, args)
}

/// From now on, for as many days as were said.
fn validity(args: &Args, default_days: u32, now: SystemTime) -> Validity {
    Validity::from_now(now, Duration::from_secs(u64::from(args.days.unwrap_or(default_days)) * DAY))
}

fn default_days(role: HolderRole) -> u32 {
    match role {
        HolderRole::Host => 825,
        HolderRole::User => 365,
    }
}

/// Tells what was made, and what became of what was there.
fn describe(made: &[PathBuf], kept: &[PathBuf], below: &Path) -> String {
    let mut text = format!("made in {}:\n", below.display());
    text += &show::table(made, below);
    for path in kept {
        let _ = writeln!(text, "kept: {}", path.display());
    }
    text
}

/// Seconds.
const DAY: u64 = 86_400;
