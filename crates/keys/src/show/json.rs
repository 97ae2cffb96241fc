//! What files are, for programs. Shapes stay as they are once published.

use std::time::SystemTime;

use serde_json::{Map, Value};

use super::{Item, dates};
use crate::revocations::Revocations;

/// One array of objects; what does not apply to one is not in it.
pub(super) fn array(items: &[Item], revocations: &Revocations, now: SystemTime) -> String {
    let array: Vec<Value> = items.iter().map(|item| object(item, revocations, now)).collect();
    format!("{:#}\n", Value::Array(array))
}

fn object(item: &Item, revocations: &Revocations, now: SystemTime) -> Value {
    let mut object = Map::new();
    let mut add = |name: &str, value: Value| drop(object.insert(name.to_owned(), value));
    let text = |text: &str| Value::String(text.to_owned());
    let list = |list: &[String]| Value::Array(list.iter().map(|entry| text(entry)).collect());
    add("file", Value::String(item.file.display().to_string()));
    add("kind", text(item.kind_name()));
    for (name, value) in [("subject", &item.subject), ("issuer", &item.issuer), ("key", &item.key)] {
        if !value.is_empty() {
            add(name, text(value));
        }
    }
    for (name, values) in [("names", &item.names), ("options", &item.options)] {
        if !values.is_empty() {
            add(name, list(values));
        }
    }
    if let Some(serial) = item.shown_serial() {
        add("serial", Value::String(serial));
    }
    if let Some(from) = item.from {
        add("not-before", Value::String(dates::moment(from)));
    }
    if let Some(until) = item.until {
        add("not-after", Value::String(dates::moment(until)));
        add("days-left", dates::days_left(until, now).into());
    }
    if let Some(fingerprint) = &item.fingerprint {
        add("fingerprint", text(fingerprint));
    }
    if item.kind.is_private() {
        add("pass-phrase", item.sealed.into());
    }
    if item.kind.is_certificate() {
        add("revoked", revocations.have(item).into());
    }
    Value::Object(object)
}
