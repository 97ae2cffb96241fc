//! The steps as data for programs. What stands here stays as it is; more may come.

use portreeve_json::Json;

use crate::{finding::Finding, record::StepRecord};

/// Everything, as one object.
pub(crate) fn report(agent: &str, records: &[StepRecord], finding: Option<&Finding>) -> Json {
    let verdict = finding.map_or(Json::Null, |finding| {
        Json::object([
            ("step", Json::text(finding.stage.id())),
            ("cause", Json::text(&finding.cause)),
            ("cure", Json::text_or_null(finding.hint.as_deref())),
            ("surroundings", Json::texts(&finding.neighbors)),
        ])
    });
    Json::object([
        ("agent", Json::text(agent)),
        ("well", Json::Bool(finding.is_none())),
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
        ("well", Json::Bool(record.succeeded)),
        ("milliseconds", Json::Decimal(record.duration.as_secs_f64() * 1000.0)),
        ("facts", Json::list(record.facts.iter().map(fact))),
    ])
}
