//! Runs all steps, and probes the host if one fails.

use portreeve_cli::ClientPlan;

use crate::{clear, finding::Finding, neighbors, secure, timeline::Timeline};

/// Runs the steps until one fails. Probes the host if it is unclear whether the peer is an agent.
pub(crate) fn run(plan: ClientPlan, timeline: &Timeline) -> Result<(), Finding> {
    let address = plan.address.clone();
    let result = match plan.session_request.clone() {
        Some(request) => secure::run(plan, request, timeline),
        None => clear::run(plan, timeline),
    };
    result.map_err(|mut finding| {
        finding.stage = timeline.fail(finding.stage);
        if finding.is_peer_unclear {
            let neighbors = neighbors::probe(&address, finding.stage);
            finding.neighbors = neighbors.sentences;
            // The hint to use the protocol that was detected replaces all other hints.
            finding.hint = neighbors.hint.or(finding.hint);
        }
        finding
    })?;
    timeline.finish();
    Ok(())
}
