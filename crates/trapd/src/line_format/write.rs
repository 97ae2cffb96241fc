//! Writes a notification in a format.

use std::fmt::Write;

use portreeve_mib::format::OutputFormat;
use portreeve_smi::{MessageProcessingModel, SecurityModel, controls_display};
use portreeve_snmp_message::{TrapV1, VarBinds};

use super::{Field, Layout, LineFormat, Piece, TimePart};
use crate::{CalendarTime, Notification, NotificationKind, Security};

impl LineFormat {
    /// Appends the notification to `out`. Names and values have the form of `values`.
    ///
    /// The length is linear in that of the notification and of the format: each field is written
    /// once, and a separator once for each variable.
    pub fn write(&self, out: &mut String, notification: &Notification<'_>, values: &OutputFormat) {
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Field { field, layout } => write_field(out, field, layout, notification, values),
            }
        }
    }
}

fn write_field(
    out: &mut String,
    field: &Field,
    layout: &Layout,
    notification: &Notification<'_>,
    values: &OutputFormat,
) {
    let trap = match &notification.kind {
        NotificationKind::TrapV1(trap) => Some(trap),
        NotificationKind::Trap(_) | NotificationKind::Inform(_) => None,
    };
    let up_time = trap.map_or(0, |trap| trap.time_stamp);
    let mut text = String::new();
    match field {
        Field::AgentAddress => push_agent_address(&mut text, trap),
        Field::AgentHost => match notification.source.agent_host.filter(|_| trap.is_some()) {
            Some(host) => push_printable(&mut text, host.as_bytes()),
            None => push_agent_address(&mut text, trap),
        },
        Field::Addresses => text.push_str(notification.source.addresses),
        Field::Host => push_printable(&mut text, notification.source.host.as_bytes()),
        Field::ContextEngineId => push_hex(&mut text, notification.context_engine_id),
        Field::Received(part) => {
            let received = &notification.received;
            let time = if layout.is_alternate { received.utc } else { received.local };
            return push_number(out, layout, calendar_part(time, *part).into());
        }
        Field::UpTimePart(part) => return push_number(out, layout, up_time_part(up_time, *part).into()),
        Field::UnixTime => return push_number(out, layout, notification.received.unix),
        Field::UpTime if layout.is_alternate => text = up_time_text(up_time),
        Field::UpTime => return push_number(out, layout, up_time.into()),
        Field::Enterprise => match trap {
            Some(trap) => values.name(&mut text, &trap.enterprise.to_buf()),
            None => text.push('.'),
        },
        Field::Security => push_security(&mut text, notification),
        Field::SpecificTrap => text = trap.map_or_else(|| "0".to_owned(), specific_trap),
        Field::Version => return push_number(out, layout, version_number(notification.version)),
        Field::SecurityModel => {
            return push_number(out, layout, security_model(notification).0.into());
        }
        Field::SecurityName => match notification.security {
            Security::Community(name) | Security::User { name, .. } => push_printable(&mut text, name),
        },
        Field::Variables { separator } => {
            let separator = separator.as_deref();
            push_variables(&mut text, notification.kind.var_binds(), separator, layout, values);
        }
        Field::GenericTrap => text = trap.map_or(0, |trap| trap.generic).to_string(),
        Field::Description => text.push_str(description(trap.map_or(0, |trap| trap.generic))),
    }
    push_text(out, layout, &text);
}

fn push_agent_address(text: &mut String, trap: Option<&TrapV1<'_>>) {
    let [a, b, c, d] = trap.map_or([0; 4], |trap| trap.agent_address);
    push_fmt(text, format_args!("{a}.{b}.{c}.{d}"));
}

/// Appends octets of the sender; a dot replaces what would change the display of other text.
fn push_printable(text: &mut String, octets: &[u8]) {
    let shown = String::from_utf8_lossy(octets);
    text.extend(shown.chars().map(|shown| if controls_display(shown) { '.' } else { shown }));
}

/// Appends octets in hexadecimal, with a line break after each 16, as Net-SNMP does.
fn push_hex(text: &mut String, octets: &[u8]) {
    for (position, octet) in octets.iter().enumerate() {
        if position > 0 && position % 16 == 0 {
            text.push('\n');
        }
        push_fmt(text, format_args!("{octet:02X} "));
    }
}

fn push_security(text: &mut String, notification: &Notification<'_>) {
    text.push_str(match notification.kind {
        NotificationKind::TrapV1(_) => "TRAP",
        NotificationKind::Trap(_) => "TRAP2",
        NotificationKind::Inform(_) => "INFORM",
    });
    text.push_str(match notification.version {
        MessageProcessingModel::V1 => ", SNMP v1, ",
        MessageProcessingModel::V2c => ", SNMP v2c, ",
        MessageProcessingModel::V3 => ", SNMP v3, ",
    });
    match notification.security {
        Security::Community(community) => {
            text.push_str("community ");
            push_printable(text, community);
        }
        Security::User { name, context_name, .. } => {
            text.push_str("user ");
            push_printable(text, name);
            text.push_str(", context ");
            push_printable(text, context_name);
        }
    }
}

/// Returns specific-trap; with a dot before it if the enterprise has assigned it.
fn specific_trap(trap: &TrapV1<'_>) -> String {
    let dot = if trap.generic == ENTERPRISE_SPECIFIC { "." } else { "" };
    format!("{dot}{}", trap.specific)
}

fn push_variables(
    text: &mut String,
    var_binds: VarBinds<'_>,
    separator: Option<&str>,
    layout: &Layout,
    values: &OutputFormat,
) {
    let separator = separator.unwrap_or(if layout.is_alternate { ", " } else { "\t" });
    for (position, bind) in var_binds.iter().enumerate() {
        // In the alternate form, also the first variable has a separator before it.
        if position > 0 || layout.is_alternate {
            text.push_str(separator);
        }
        values.variable(text, &bind.name.to_buf(), &bind.value);
    }
}

fn version_number(version: MessageProcessingModel) -> u64 {
    match version {
        MessageProcessingModel::V1 => 0,
        MessageProcessingModel::V2c => 1,
        MessageProcessingModel::V3 => 3,
    }
}

fn security_model(notification: &Notification<'_>) -> SecurityModel {
    match (notification.security, notification.version) {
        (Security::User { model, .. }, _) => model,
        (Security::Community(_), MessageProcessingModel::V1) => SecurityModel::SNMP_V1,
        (Security::Community(_), _) => SecurityModel::SNMP_V2C,
    }
}

fn description(generic: i32) -> &'static str {
    match generic {
        0 => "Cold Start",
        1 => "Warm Start",
        2 => "Link Down",
        3 => "Link Up",
        4 => "Authentication Failure",
        5 => "EGP Neighbor Loss",
        ENTERPRISE_SPECIFIC => "Enterprise Specific",
        _ => "Unknown Type",
    }
}

fn calendar_part(time: CalendarTime, part: TimePart) -> u32 {
    match part {
        TimePart::Year => time.year,
        TimePart::Month => time.month,
        TimePart::Day => time.day,
        TimePart::Hour => time.hour,
        TimePart::Minute => time.minute,
        TimePart::Second => time.second,
    }
}

/// Returns a part of an uptime. Months and years are not counted.
fn up_time_part(ticks: u32, part: TimePart) -> u32 {
    let seconds = ticks / 100;
    match part {
        TimePart::Second => seconds % 60,
        TimePart::Minute => seconds / 60 % 60,
        TimePart::Hour => seconds / 3600 % 24,
        TimePart::Day => seconds / 86_400,
        TimePart::Month | TimePart::Year => 0,
    }
}

fn up_time_text(ticks: u32) -> String {
    let part = |part| up_time_part(ticks, part);
    let days = match part(TimePart::Day) {
        0 => String::new(),
        1 => "1 day, ".to_owned(),
        days => format!("{days} days, "),
    };
    let (hour, minute, second) = (part(TimePart::Hour), part(TimePart::Minute), part(TimePart::Second));
    format!("{days}{hour}:{minute:02}:{second:02}.{:02}", ticks % 100)
}

/// Appends a number with at least as many digits as the precision.
fn push_number(out: &mut String, layout: &Layout, number: u64) {
    let digits = format!("{number:0precision$}", precision = layout.precision.unwrap_or_default());
    push_padded(out, layout, &digits);
}

/// Appends a text with at most as many characters as the precision.
fn push_text(out: &mut String, layout: &Layout, text: &str) {
    match layout.precision {
        Some(precision) => push_padded(out, layout, &text.chars().take(precision).collect::<String>()),
        None => push_padded(out, layout, text),
    }
}

fn push_padded(out: &mut String, layout: &Layout, text: &str) {
    let missing = layout.width.saturating_sub(text.chars().count());
    let padding = if layout.has_zeros && !layout.is_left { '0' } else { ' ' };
    let pad = std::iter::repeat_n(padding, missing);
    if layout.is_left {
        out.push_str(text);
        out.extend(pad);
    } else {
        out.extend(pad);
        out.push_str(text);
    }
}

fn push_fmt(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = text.write_fmt(arguments);
}

/// The value of generic-trap for traps whose number is assigned by the enterprise.
const ENTERPRISE_SPECIFIC: i32 = 6;
