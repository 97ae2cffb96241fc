//! The audit as data for programs. What stands here stays as it is; more may come.

use portreeve_json::Json;

use super::{Audit, findings::Finding, grants::Grant, is_clear, targets::Target, word};

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
        ("targets", Json::list(audit.targets.iter().map(target))),
        ("findings", Json::list(audit.findings.iter().map(finding))),
        ("accepted-in-vain", Json::texts(&audit.idle)),
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

fn target(target: &Target) -> Json {
    let sender = target.sender.as_ref();
    Json::object([
        ("name", Json::text(&target.name)),
        ("transport", Json::text(&target.transport)),
        ("address", Json::text(&target.address)),
        ("clear", Json::Bool(target.is_clear)),
        ("kinds", Json::texts(target.kinds.iter().copied())),
        ("as", Json::text_or_null(sender.map(|sender| sender.name.as_str()))),
        ("model", Json::text_or_null(sender.map(|sender| sender.model.to_string()).as_deref())),
        ("level", Json::text_or_null(sender.map(|sender| sender.level.to_string()).as_deref())),
    ])
}

fn finding(finding: &Finding) -> Json {
    Json::object([
        ("id", Json::text(finding.id())),
        ("weight", Json::text(finding.weight.word())),
        ("accepted", Json::Bool(finding.is_accepted)),
        ("place", Json::text(&finding.place)),
        ("what", Json::text(&finding.what)),
        ("cure", Json::text(&finding.cure)),
    ])
}
