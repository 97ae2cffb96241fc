//! Writes a notification in a format.

use std::fmt::Write;

use portreeve_mib::format::{OutputFormat, push_number};
use portreeve_smi::{MessageProcessingModel, OidBuf, SecurityModel, controls_display};
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
    if let Some(number) = number_of(field, layout, notification) {
        return push_padded_number(out, layout, number);
    }
    if layout.width == 0 && layout.precision.is_none() {
        return push_field(out, field, layout, notification, values);
    }
    let mut text = String::new();
    push_field(&mut text, field, layout, notification, values);
    push_text(out, layout, &text);
}

/// Returns the number that a field prints, if its precision is a number of digits.
fn number_of(field: &Field, layout: &Layout, notification: &Notification<'_>) -> Option<u64> {
    let received = &notification.received;
    Some(match field {
        Field::Received(part) => {
            let time = if layout.is_alternate { received.utc } else { received.local };
            calendar_part(time, *part).into()
        }
        Field::UpTimePart(part) => up_time_part(up_time(notification), *part).into(),
        Field::UnixTime => received.unix,
        Field::UpTime if !layout.is_alternate => up_time(notification).into(),
        Field::Version => version_number(notification.version),
        Field::SecurityModel => security_model(notification).0.into(),
        _ => return None,
    })
}

/// Appends a field without padding.
fn push_field(
    out: &mut String,
    field: &Field,
    layout: &Layout,
    notification: &Notification<'_>,
    values: &OutputFormat,
) {
    let trap = trap_v1(notification);
    match field {
        Field::AgentAddress => push_agent_address(out, trap),
        Field::AgentHost => match notification.source.agent_host.filter(|_| trap.is_some()) {
            Some(host) => push_printable(out, host.as_bytes()),
            None => push_agent_address(out, trap),
        },
        Field::Addresses => out.push_str(notification.source.addresses),
        Field::Host => push_printable(out, notification.source.host.as_bytes()),
        Field::ContextEngineId => push_hex(out, notification.context_engine_id),
        Field::UpTime => out.push_str(&up_time_text(up_time(notification))),
        Field::Enterprise => match trap {
            Some(trap) => values.name(out, &trap.enterprise.to_buf()),
            None => out.push('.'),
        },
        Field::Security => push_security(out, notification),
        Field::SpecificTrap => match trap {
            Some(trap) => out.push_str(&specific_trap(trap)),
            None => out.push('0'),
        },
        Field::SecurityName => match notification.security {
            Security::Community(name) | Security::User { name, .. } => push_printable(out, name),
        },
        Field::Variables { separator } => {
            push_variables(out, notification.kind.var_binds(), separator.as_deref(), layout, values);
        }
        Field::GenericTrap => out.push_str(&trap.map_or(0, |trap| trap.generic).to_string()),
        Field::Description => out.push_str(description(trap.map_or(0, |trap| trap.generic))),
        Field::Received(_)
        | Field::UpTimePart(_)
        | Field::UnixTime
        | Field::Version
        | Field::SecurityModel => {}
    }
}

fn trap_v1<'n>(notification: &'n Notification<'_>) -> Option<&'n TrapV1<'n>> {
    match &notification.kind {
        NotificationKind::TrapV1(trap) => Some(trap),
        NotificationKind::Trap(_) | NotificationKind::Inform(_) => None,
    }
}

fn up_time(notification: &Notification<'_>) -> u32 {
    trap_v1(notification).map_or(0, |trap| trap.time_stamp)
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
    let mut name = OidBuf::new();
    for (position, bind) in var_binds.iter().enumerate() {
        // In the alternate form, also the first variable has a separator before it.
        if position > 0 || layout.is_alternate {
            text.push_str(separator);
        }
        bind.name.decode_into(&mut name);
        values.variable(text, &name, &bind.value);
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
fn push_padded_number(out: &mut String, layout: &Layout, number: u64) {
    let digits = number.checked_ilog10().map_or(1, |logarithm| logarithm as usize + 1);
    let zeros = layout.precision.unwrap_or_default().saturating_sub(digits);
    if layout.width > digits + zeros {
        return push_padded(out, layout, &format!("{number:0digits$}", digits = digits + zeros));
    }
    out.extend(std::iter::repeat_n('0', zeros));
    push_number(out, number);
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
