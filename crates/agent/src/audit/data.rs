//! The audit as data for programs. What stands here stays as it is; more may come.

use portreeve_json::Json;

use super::{Audit, findings::Finding, grants::Grant, is_clear, word};

/// All of it, as one object.
pub(crate) fn report(audit: &Audit) -> Json {
    let listener = |listener: &super::Listening| {
        Json::object([
            ("transport", Json::text(word(listener.transport))),
            ("address", Json::text(&listener.address)),
            ("clear", Json::Bool(is_clear(listener.transport))),
        ])
    };
    let view = |(name, families): &(String, Vec<String>)| {
        Json::object([("name", Json::text(name)), ("families", Json::texts(families))])
    };
    Json::object([
        ("file", Json::text(audit.file.display().to_string())),
        ("weak", Json::Bool(audit.is_weak())),
        ("listens", Json::list(audit.listeners.iter().map(listener))),
        ("grants", Json::list(audit.grants.iter().map(grant))),
        ("views", Json::list(audit.views.iter().map(view))),
        ("findings", Json::list(audit.findings.iter().map(finding))),
    ])
}

fn grant(grant: &Grant) -> Json {
    Json::object([
        ("name", Json::text(&grant.name)),
        ("models", Json::texts(grant.models.iter().map(ToString::to_string))),
        ("proof", Json::text(&grant.proof)),
        ("through", Json::texts(grant.through.iter().map(|transport| word(*transport)))),
        ("level", Json::text(grant.level.to_string())),
        ("context", Json::text(&grant.context)),
        ("read", Json::text(&grant.read)),
        ("write", Json::text(&grant.write)),
        ("notify", Json::text(&grant.notify)),
        ("place", Json::text(&grant.place)),
    ])
}

fn finding(finding: &Finding) -> Json {
    Json::object([
        ("weight", Json::text(finding.weight.word())),
        ("place", Json::text(&finding.place)),
        ("what", Json::text(&finding.what)),
        ("cure", Json::text(&finding.cure)),
    ])
}
