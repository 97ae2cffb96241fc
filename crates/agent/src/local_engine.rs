//! The engine's identity and number of starts.

use portreeve_config::Agent;
use portreeve_smi::{EngineId, Timestamp};
use portreeve_snmp_engine::LocalEngine;
use portreeve_store::Store;

use crate::random;

/// Returns the engine's identity and boots from the store. If boots cannot be stored, the engine
/// runs but rejects authenticated requests.
pub(crate) fn start_engine(store: &mut Store, agent: &Agent, started: Timestamp) -> LocalEngine {
    let mut engine_id = agent.engine_id.unwrap_or_else(fresh_engine_id);
    let start = store.start_engine(|last| {
        engine_id = agent.engine_id.or(last).unwrap_or(engine_id);
        engine_id
    });
    if let Err(error) = &start {
        tracing::error!(
            %error,
            "cannot store snmpEngineBoots: authenticated requests are rejected until a restart succeeds in storing it"
        );
    }
    LocalEngine {
        engine_id,
        boots: start.ok().map(|start| start.boots),
        started,
        max_message_size: agent.max_message_size,
    }
}

/// Returns a random engine ID in the octets format: enterprise 0, format 5 (RFC 3411 §5).
fn fresh_engine_id() -> EngineId {
    let mut octets = [0x80, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0];
    octets[5..].copy_from_slice(&random::u64().to_be_bytes());
    EngineId::new(&octets).expect("13 octets, not all equal")
}
