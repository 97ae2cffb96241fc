//! Formats items as JSON. A released version of this program never renames a key or changes its
//! meaning.

use std::time::SystemTime;

use portreeve_json::Json;

use super::{KeyItem, dates};
use crate::revocations::Revocations;

/// Formats an array of objects, one per line; keys that do not apply are omitted.
pub(super) fn array(items: &[KeyItem], revocations: &Revocations, now: SystemTime) -> String {
    let objects: Vec<String> =
        items.iter().map(|item| format!("  {}", object(item, revocations, now))).collect();
    format!("[\n{}\n]\n", objects.join(",\n"))
}

fn object(item: &KeyItem, revocations: &Revocations, now: SystemTime) -> Json {
    let mut fields =
        vec![("file", Json::text(item.file.display().to_string())), ("kind", Json::text(item.kind_name()))];
    for (name, value) in [("subject", &item.subject), ("issuer", &item.issuer), ("key", &item.key)] {
        if !value.is_empty() {
            fields.push((name, Json::text(value)));
        }
    }
    for (name, values) in [("names", &item.names), ("options", &item.options), ("revokes", &item.revokes)] {
        if !values.is_empty() {
            fields.push((name, Json::texts(values)));
        }
    }
    if let Some(serial) = item.display_serial() {
        fields.push(("serial", Json::text(serial)));
    }
    if let Some(from) = item.from {
        fields.push(("not-before", Json::text(dates::timestamp(from))));
    }
    if let Some(until) = item.until {
        fields.push(("not-after", Json::text(dates::timestamp(until))));
        fields.push(("days-left", Json::Number(dates::days_left(until, now))));
    }
    if let Some(fingerprint) = &item.fingerprint {
        fields.push(("fingerprint", Json::text(fingerprint)));
    }
    if item.kind.is_private() {
        fields.push(("pass-phrase", Json::Bool(item.has_pass_phrase)));
    }
    if item.kind.is_certificate() {
        fields.push(("revoked", Json::Bool(revocations.contains(item))));
    }
    Json::object(fields)
}
