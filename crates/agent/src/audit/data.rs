//! The audit as JSON. Existing JSON keys are stable; new keys may be added.

use portreeve_json::Json;

use super::{
    Audit, findings::Finding, grants::Grant, is_cleartext, netconf::NetconfUser, targets::Target,
    transport_name,
};

/// Formats the audit as one object.
pub(crate) fn report(audit: &Audit) -> Json {
    let listener = |listener: &super::ListenAddress| {
        Json::object([
            ("transport", Json::text(transport_name(listener.transport))),
            ("address", Json::text(&listener.address)),
            ("cleartext", Json::Bool(is_cleartext(listener.transport))),
        ])
    };
    let view = |(name, families): &(String, Vec<String>)| {
        Json::object([("name", Json::text(name)), ("families", Json::texts(families))])
    };
    Json::object([
        ("file", Json::text(audit.file.display().to_string())),
        ("weak", Json::Bool(audit.is_weak())),
        ("listeners", Json::list(audit.listeners.iter().map(listener))),
        ("grants", Json::list(audit.grants.iter().map(grant))),
        ("views", Json::list(audit.views.iter().map(view))),
        ("netconf", netconf(audit.netconf.as_deref())),
        ("targets", Json::list(audit.targets.iter().map(target))),
        ("findings", Json::list(audit.findings.iter().map(finding))),
        ("unused-allow", Json::texts(&audit.unused_acceptances)),
    ])
}

fn grant(grant: &Grant) -> Json {
    Json::object([
        ("name", Json::text(&grant.name)),
        ("models", Json::texts(grant.models.iter().map(ToString::to_string))),
        ("authentication", Json::text(&grant.auth_method)),
        ("transports", Json::texts(grant.transports.iter().map(|transport| transport_name(*transport)))),
        ("level", Json::text(grant.level.to_string())),
        ("context", Json::text(&grant.context)),
        ("read", Json::text(&grant.read)),
        ("write", Json::text(&grant.write)),
        ("notify", Json::text(&grant.notify)),
        ("location", Json::text(&grant.location)),
    ])
}

fn netconf(users: Option<&[NetconfUser]>) -> Json {
    let user = |user: &NetconfUser| {
        Json::object([("name", Json::text(&user.name)), ("access", Json::text(user.access))])
    };
    users.map_or(Json::Null, |users| Json::list(users.iter().map(user)))
}

fn target(target: &Target) -> Json {
    let sender = target.sender.as_ref();
    Json::object([
        ("name", Json::text(&target.name)),
        ("transport", Json::text(&target.transport)),
        ("address", Json::text(&target.address)),
        ("cleartext", Json::Bool(target.is_cleartext)),
        ("kinds", Json::texts(target.kinds.iter().copied())),
        ("sender", Json::text_or_null(sender.map(|sender| sender.name.as_str()))),
        ("model", Json::text_or_null(sender.map(|sender| sender.model.to_string()).as_deref())),
        ("level", Json::text_or_null(sender.map(|sender| sender.level.to_string()).as_deref())),
    ])
}

fn finding(finding: &Finding) -> Json {
    Json::object([
        ("id", Json::text(finding.id())),
        ("severity", Json::text(finding.severity.name())),
        ("accepted", Json::Bool(finding.is_accepted)),
        ("location", Json::text(&finding.location)),
        ("description", Json::text(&finding.description)),
        ("hint", Json::text(&finding.hint)),
    ])
}
