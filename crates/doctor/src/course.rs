//! The whole way, and a look around where it ends early.

use portreeve_cli::Errand;

use crate::{chart::Chart, clear, finding::Finding, secure, surroundings};

/// Takes every step; the first that fails is the last.
pub(crate) fn walk(errand: Errand, chart: &Chart) -> Result<(), Finding> {
    let address = errand.address.clone();
    let result = match errand.order.clone() {
        Some(order) => secure::walk(errand, order, chart),
        None => clear::walk(errand, chart),
    };
    result.map_err(|mut finding| {
        finding.stage = chart.fail(finding.stage);
        if finding.is_unclear {
            let seen = surroundings::look(&address, finding.stage);
            finding.surroundings = seen.sentences;
            // Whoever asks in the protocol that is spoken there needs no other advice.
            finding.cure = seen.instead.or(finding.cure);
        }
        finding
    })?;
    chart.arrive();
    Ok(())
}
