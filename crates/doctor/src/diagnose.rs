//! The whole way, and a look around where it ends early.

use portreeve_cli::ClientPlan;

use crate::{clear, finding::Finding, neighbors, secure, timeline::Timeline};

/// Takes every step; the first that fails is the last.
pub(crate) fn run(errand: ClientPlan, chart: &Timeline) -> Result<(), Finding> {
    let address = errand.address.clone();
    let result = match errand.order.clone() {
        Some(order) => secure::run(errand, order, chart),
        None => clear::run(errand, chart),
    };
    result.map_err(|mut finding| {
        finding.stage = chart.fail(finding.stage);
        if finding.is_peer_unclear {
            let seen = neighbors::probe(&address, finding.stage);
            finding.neighbors = seen.sentences;
            // Whoever asks in the protocol that is spoken there needs no other advice.
            finding.hint = seen.hint.or(finding.hint);
        }
        finding
    })?;
    chart.finish();
    Ok(())
}
