//! The commands that make something.

mod authorities;
mod holders;
mod renew;
mod revoke;
mod sign;
mod signers;

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use portreeve_pki::{Role, Validity};

use crate::{Failure, Report, arguments::Given, show};

pub(crate) use authorities::make as authorities;
pub(crate) use renew::renew;
pub(crate) use revoke::revoke;
pub(crate) use sign::sign;

/// What an agent on a host needs.
pub(crate) fn host(given: &Given) -> Result<Report, Failure> {
    holders::make(Role::Host, given)
}

/// What a user needs.
pub(crate) fn user(given: &Given) -> Result<Report, Failure> {
    holders::make(Role::User, given)
}

/// From now on, for as many days as were said.
fn validity(given: &Given, usual: u32, now: SystemTime) -> Validity {
    Validity::from_now(now, Duration::from_secs(u64::from(given.days.unwrap_or(usual)) * DAY))
}

fn usual_days(role: Role) -> u32 {
    match role {
        Role::Host => 825,
        Role::User => 365,
    }
}

/// Tells what was made, and what became of what was there.
fn tell(made: &[PathBuf], kept: &[PathBuf], below: &Path) -> String {
    let mut text = format!("made in {}:\n", below.display());
    text += &show::table(made, below);
    for path in kept {
        let _ = writeln!(text, "kept: {}", path.display());
    }
    text
}

/// Seconds.
const DAY: u64 = 86_400;
