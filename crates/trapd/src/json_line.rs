//! One notification as one JSON object in one line.

use std::fmt::Write;

use portreeve_json::{Json, push_quoted};
use portreeve_mib::{Object, format::OutputFormat};
use portreeve_smi::{MessageProcessingModel, Value, controls_display, display_arcs};
use portreeve_snmp_message::{TrapV1, VarBind};

use crate::{CalendarTime, MessageDetails, Notification, NotificationKind, Security};

/// The parts of the JSON line that are optional.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JsonOptions {
    /// Writes the community. It grants access to all who can read the output.
    pub with_community: bool,
}

/// Appends a notification as a JSON object and a line feed. Names have the form of `names`.
///
/// Every object has these members, in this order. Members without a value are `null`.
///
/// | member | value |
/// |---|---|
/// | `time` | the time of receipt in UTC, as in RFC 3339: `"2026-03-06T23:02:03Z"` |
/// | `kind` | `"trap"` or `"inform"` |
/// | `version` | `"v1"`, `"v2c"` or `"v3"` |
/// | `transport` | `"udp"`, `"tcp"`, `"unix"`, `"ssh"`, `"tls"` or `"dtls"` |
/// | `source` | the address of the sender: `"192.0.2.7:40000"`; `"uid 1000"` over a Unix socket |
/// | `security-model` | `"v1"`, `"v2c"`, `"usm"`, `"tsm"`, or the number of another model |
/// | `security-name` | the securityName; for a community, the name to which it is mapped |
/// | `security-level` | `"noAuthNoPriv"`, `"authNoPriv"` or `"authPriv"` |
/// | `community` | the community, only if it is requested; otherwise the member is missing |
/// | `security-engine-id`, `context-engine-id` | engine IDs in hexadecimal: `"0x80…"` |
/// | `context-name` | the contextName |
/// | `uptime` | sysUpTime in hundredths of a second |
/// | `trap-oid`, `trap-name` | the snmpTrapOID: `".1.3.6.1.6.3.1.1.5.3"`, `"IF-MIB::linkDown"` |
/// | `v1` | the fields of an SNMPv1 trap: `enterprise`, `agent-address`, `generic`, `specific` |
/// | `variables` | a list of variables |
///
/// A variable has the members `oid`, `name`, `type` and `value`. `type` is the name in SMIv2, or
/// that of an exception. `value` is a number, a string or `null`. Octets that are not text are
/// written as `0x` and hexadecimal digits; then the variable has the member `"encoding":"hex"`. An
/// enumerated value has the member `label`.
pub fn write_json_line(
    out: &mut String,
    notification: &Notification<'_>,
    details: &MessageDetails<'_>,
    names: &OutputFormat,
    options: JsonOptions,
) {
    let trap = match &notification.kind {
        NotificationKind::TrapV1(trap) => Some(trap),
        NotificationKind::Trap(_) | NotificationKind::Inform(_) => None,
    };
    let is_inform = matches!(notification.kind, NotificationKind::Inform(_));
    let mut line = Line { out, separator: '{' };
    line.text("time", &rfc3339(notification.received.utc));
    line.text("kind", if is_inform { "inform" } else { "trap" });
    line.text("version", version(notification.version));
    line.text("transport", &details.domain.to_string());
    line.text("source", &details.source.to_string());
    line.text("security-model", &details.security_model.to_string());
    line.text("security-name", &text_or_hex(details.security_name).text);
    line.text("security-level", details.security_level.name());
    if let (true, Security::Community(community)) = (options.with_community, notification.security) {
        line.text("community", &text_or_hex(community).text);
    }
    line.optional("security-engine-id", details.security_engine_id.map(|id| id.to_string()));
    line.optional("context-engine-id", details.context_engine_id.map(|id| id.to_string()));
    line.text("context-name", &text_or_hex(details.context_name).text);
    line.member("uptime", &details.sys_up_time.to_string());
    line.text("trap-oid", &dotted(details.snmp_trap_oid));
    line.text("trap-name", &name_of(names, details.snmp_trap_oid));
    line.member("v1", &trap.map_or(Json::Null, v1_fields).to_string());
    line.member("variables", "[");
    for (position, bind) in notification.kind.var_binds().iter().enumerate() {
        if position > 0 {
            line.out.push(',');
        }
        push_variable(line.out, &bind, names);
    }
    line.out.push_str("]}\n");
}

/// The members of an object.
struct Line<'o> {
    out: &'o mut String,
    separator: char,
}

impl Line<'_> {
    /// Appends a member whose value is written in JSON.
    fn member(&mut self, name: &str, json: &str) {
        self.out.push(self.separator);
        self.separator = ',';
        push_quoted(self.out, name);
        self.out.push(':');
        self.out.push_str(json);
    }

    fn text(&mut self, name: &str, text: &str) {
        self.member(name, "");
        push_quoted(self.out, text);
    }

    fn optional(&mut self, name: &str, text: Option<String>) {
        match text {
            Some(text) => self.text(name, &text),
            None => self.member(name, "null"),
        }
    }
}

fn push_variable(out: &mut String, bind: &VarBind<'_>, names: &OutputFormat) {
    let oid = bind.name.to_buf();
    let mut line = Line { out, separator: '{' };
    line.text("oid", &dotted(&oid));
    line.text("name", &name_of(names, &oid));
    line.text("type", type_name(&bind.value));
    match bind.value {
        Value::Integer(number) => line.member("value", &number.to_string()),
        Value::Counter32(number) | Value::Gauge32(number) | Value::TimeTicks(number) => {
            line.member("value", &number.to_string());
        }
        Value::Counter64(number) => line.member("value", &number.to_string()),
        Value::OctetString(octets) | Value::Opaque(octets) => {
            let octets = text_or_hex(octets);
            line.text("value", &octets.text);
            if octets.is_hex {
                line.text("encoding", "hex");
            }
        }
        Value::ObjectId(oid) => line.text("value", &dotted(&oid.to_buf())),
        Value::IpAddress(address) => line.text("value", &ip_address(address)),
        Value::Null | Value::NoSuchObject | Value::NoSuchInstance | Value::EndOfMibView => {
            line.member("value", "null");
        }
    }
    let object = names.definitions.resolve(&oid).map(|found| found.object);
    if let Some(label) = label(object, &bind.value) {
        line.text("label", label);
    }
    line.out.push('}');
}

fn v1_fields(trap: &TrapV1<'_>) -> Json {
    Json::object([
        ("enterprise", Json::text(dotted(&trap.enterprise.to_buf()))),
        ("agent-address", Json::text(ip_address(trap.agent_address))),
        ("generic", Json::Number(trap.generic.into())),
        ("specific", Json::Number(trap.specific.into())),
    ])
}

/// Octets in a form that a string can contain.
struct OctetText {
    text: String,
    is_hex: bool,
}

/// Returns UTF-8 without controls of the display unchanged, and other octets in hexadecimal.
fn text_or_hex(octets: &[u8]) -> OctetText {
    let is_hidden = |character| controls_display(character) && !matches!(character, '\t' | '\r' | '\n');
    match std::str::from_utf8(octets) {
        Ok(text) if !text.contains(is_hidden) => OctetText { text: text.to_owned(), is_hex: false },
        _ => {
            let mut text = String::with_capacity(2 + 2 * octets.len());
            text.push_str("0x");
            for octet in octets {
                // Writing to a string does not fail.
                let _ = write!(text, "{octet:02x}");
            }
            OctetText { text, is_hex: true }
        }
    }
}

fn label(object: Option<&'static Object>, value: &Value<'_>) -> Option<&'static str> {
    let Value::Integer(number) = value else { return None };
    object.and_then(Object::syntax).and_then(|syntax| syntax.label(*number))
}

fn name_of(names: &OutputFormat, oid: &[u32]) -> String {
    let mut name = String::new();
    names.name(&mut name, oid);
    name
}

fn dotted(oid: &[u32]) -> String {
    format!(".{}", display_arcs(oid))
}

fn ip_address([a, b, c, d]: [u8; 4]) -> String {
    format!("{a}.{b}.{c}.{d}")
}

fn rfc3339(time: CalendarTime) -> String {
    let CalendarTime { year, month, day, hour, minute, second } = time;
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

pub(crate) fn version(version: MessageProcessingModel) -> &'static str {
    match version {
        MessageProcessingModel::V1 => "v1",
        MessageProcessingModel::V2c => "v2c",
        MessageProcessingModel::V3 => "v3",
    }
}

fn type_name(value: &Value<'_>) -> &'static str {
    match value {
        Value::Integer(_) => "Integer32",
        Value::OctetString(_) => "OctetString",
        Value::Null => "Null",
        Value::ObjectId(_) => "ObjectIdentifier",
        Value::IpAddress(_) => "IpAddress",
        Value::Counter32(_) => "Counter32",
        Value::Gauge32(_) => "Gauge32",
        Value::TimeTicks(_) => "TimeTicks",
        Value::Opaque(_) => "Opaque",
        Value::Counter64(_) => "Counter64",
        Value::NoSuchObject => "noSuchObject",
        Value::NoSuchInstance => "noSuchInstance",
        Value::EndOfMibView => "endOfMibView",
    }
}

#[cfg(test)]
mod tests;
