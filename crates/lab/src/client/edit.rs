//! Edits of the module `stair` over NETCONF, each in a session of its own.

use std::time::Instant;

use super::{CredentialsFile, EditJob, EditKind, Phases};
use crate::error::{Context, Result};
use crate::experiments::stair;
use crate::netconf_client::NetconfClient;

/// Runs the job. Its request is encoded before the session is opened.
pub(super) fn run(file: &CredentialsFile, job: EditJob) -> Result<Phases> {
    let login = file.netconf_login()?;
    let EditJob { kind, objects, serial } = job;
    let request = match kind {
        EditKind::Reset => stair::edit("running", 1..=objects.div_ceil(stair::TEXTS), serial),
        EditKind::Change => stair::edit_objects("running", objects, serial),
    };
    let begun = Instant::now();
    let mut client = NetconfClient::open(&login)?;
    if kind == EditKind::Reset {
        client.send(&stair::removal("running")).context("cannot remove the entries")?;
    }
    let before = client.transactions();
    let opened = Instant::now();
    client.send(&request)?;
    let done = Instant::now();
    let exchanges = client.transactions().since(before)?;
    client.close()?;
    let ended = Instant::now();
    Ok(Phases {
        total: (ended - begun).as_secs_f64(),
        open: (opened - begun).as_secs_f64(),
        first: (done - opened).as_secs_f64(),
        close: (ended - done).as_secs_f64(),
        exchanges,
        variables: objects as u64,
        ..Phases::default()
    })
}
