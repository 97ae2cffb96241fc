//! The engine's identity and number of starts.

use std::{fmt, path::PathBuf};

use portreeve_config::Agent;
use portreeve_smi::{EngineId, Timestamp};
use portreeve_snmp_engine::LocalEngine;
use portreeve_store::Store;

use crate::random;

/// Returns the engine's identity and boots from the store. If boots cannot be stored, the engine
/// runs but rejects authenticated requests.
///
/// # Errors
/// If the store contains no state of the configured engine ID, unless `first_start` is true:
/// engineBoots would restart at 1, and the engine would accept messages again that were recorded
/// when engineBoots was 1 before (RFC 3414 §2.2.2).
pub(crate) fn start_engine(
    store: &mut Store,
    agent: &Agent,
    first_start: bool,
    started: Timestamp,
) -> Result<LocalEngine, LostStateError> {
    if let Some(engine_id) = agent.engine_id
        && !first_start
        && store.engine_id() != Some(engine_id)
    {
        return Err(LostStateError { state_dir: agent.state_dir.clone(), engine_id });
    }
    let mut engine_id = agent.engine_id.unwrap_or_else(fresh_engine_id);
    let start = store.start_engine(|last| {
        engine_id = agent.engine_id.or(last).unwrap_or(engine_id);
        engine_id
    });
    if let Err(error) = &start {
        tracing::error!(
            %error,
            state_dir = %agent.state_dir.display(),
            "cannot store snmpEngineBoots: all authenticated SNMPv3 requests over UDP and TCP are rejected; \
             make the state directory writable, then restart the agent"
        );
    }
    Ok(LocalEngine {
        engine_id,
        boots: start.ok().map(|start| start.boots),
        started,
        max_message_size: agent.max_message_size,
    })
}

/// The state of the configured engine ID is missing.
#[derive(Debug)]
pub(crate) struct LostStateError {
    state_dir: PathBuf,
    engine_id: EngineId,
}

impl fmt::Display for LostStateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { state_dir, engine_id } = self;
        write!(
            f,
            "{}: contains no state of the engine ID {engine_id}, so the agent would accept replayed messages\n\
             hint: restore the directory from a backup; if no agent has used this engine ID before, \
             start once with --first-start; otherwise change `engine-id`, or remove it to have one generated",
            state_dir.display()
        )
    }
}

/// Returns a random engine ID in the octets format: enterprise 0, format 5 (RFC 3411 §5).
fn fresh_engine_id() -> EngineId {
    let mut octets = [0x80, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0];
    octets[5..].copy_from_slice(&random::u64().to_be_bytes());
    EngineId::new(&octets).expect("13 octets, not all equal")
}
