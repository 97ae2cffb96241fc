//! The steps as JSON. The names of existing members are stable; new members may be added.

use portreeve_json::Json;

use crate::{finding::Finding, record::StepRecord};

/// Returns the whole report as one object.
pub(crate) fn report(agent: &str, records: &[StepRecord], finding: Option<&Finding>) -> Json {
    let verdict = finding.map_or(Json::Null, |finding| {
        Json::object([
            ("step", Json::text(finding.stage.id())),
            ("cause", Json::text(&finding.cause)),
            ("hint", Json::text_or_null(finding.hint.as_deref())),
            ("neighbors", Json::texts(&finding.neighbors)),
        ])
    });
    Json::object([
        ("agent", Json::text(agent)),
        ("ok", Json::Bool(finding.is_none())),
        ("steps", Json::list(records.iter().map(step))),
        ("verdict", verdict),
    ])
}

fn step(record: &StepRecord) -> Json {
    let fact = |fact: &portreeve_channel::Fact| {
        Json::object([("name", Json::text(fact.name)), ("value", Json::text(&fact.value))])
    };
    Json::object([
        ("step", Json::text(record.stage.id())),
        ("ok", Json::Bool(record.succeeded)),
        ("milliseconds", Json::Decimal(record.duration.as_secs_f64() * 1000.0)),
        ("facts", Json::list(record.facts.iter().map(fact))),
    ])
}
