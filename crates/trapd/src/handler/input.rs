//! The standard input of a handler: the layout of Net-SNMP's `traphandle`.
//!
//! A sender determines the values. One that contains a line feed looks like further variables,
//! unless it is escaped.

use std::fmt::Write;

use portreeve_mib::format::OutputFormat;
use portreeve_smi::{
    ber::{BufferFullError, ForwardWriter},
    controls_display,
};
use portreeve_snmp_apps::{NotificationV2, TranslationError};
use portreeve_snmp_message::{TrapV1, VarBinds, encoded_names};

use crate::{Notification, NotificationKind, Security};

/// Returns the input of a handler: a line with the host name of the sender, a line with the
/// addresses, and a line with name and value of each variable. A trap of SNMPv1 has the variables
/// of SNMPv2, with its address, its community and its enterprise at the end (RFC 3584 §3.1).
///
/// Names and values have the form of `values`, without types.
///
/// # Errors
/// [`TranslationError`] if a trap of SNMPv1 cannot be represented in SNMPv2.
pub fn handler_input(
    notification: &Notification<'_>,
    values: &OutputFormat,
) -> Result<String, TranslationError> {
    input(notification, values, String::push_str)
}

/// Returns the same as [`handler_input`], but with one line for each variable: a line feed in a
/// value is written as `\n`, and other characters that end lines or control the display, if the
/// format of `values` keeps them, as `\t` or `\u{2028}`. A backslash is unchanged, so that the
/// text does not show which of them were in the value.
///
/// # Errors
/// Those of [`handler_input`].
pub fn escaped_handler_input(
    notification: &Notification<'_>,
    values: &OutputFormat,
) -> Result<String, TranslationError> {
    input(notification, values, push_escaped)
}

/// Returns the input. `push_line` appends the text of a line.
fn input(
    notification: &Notification<'_>,
    values: &OutputFormat,
    push_line: fn(&mut String, &str),
) -> Result<String, TranslationError> {
    let values = OutputFormat { quick: true, value_only: false, ..*values };
    let mut input = format!("{}\n{}\n", notification.source.host, notification.source.addresses);
    match &notification.kind {
        NotificationKind::Trap(var_binds) | NotificationKind::Inform(var_binds) => {
            push_variables(&mut input, *var_binds, &values, push_line);
        }
        NotificationKind::TrapV1(trap) => {
            let community = match notification.security {
                Security::Community(community) => community,
                Security::User { .. } => &[],
            };
            let octets = translated(trap, community)?;
            let count = encoded_names(&octets).count();
            push_variables(&mut input, VarBinds::from_validated(&octets, count), &values, push_line);
        }
    }
    Ok(input)
}

fn push_variables(
    input: &mut String,
    var_binds: VarBinds<'_>,
    values: &OutputFormat,
    push_line: fn(&mut String, &str),
) {
    let mut line = String::new();
    for bind in var_binds.iter() {
        line.clear();
        values.variable(&mut line, &bind.name.to_buf(), &bind.value);
        push_line(input, &line);
        input.push('\n');
    }
}

fn push_escaped(out: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            // Many programs end a line at U+2028 and U+2029, too.
            _ if controls_display(character) || matches!(character, '\u{2028}' | '\u{2029}') => {
                // Writing to a String cannot fail.
                let _ = write!(out, "\\u{{{:x}}}", u32::from(character));
            }
            _ => out.push(character),
        }
    }
}

/// Returns the encoded variables of a trap of SNMPv1 in SNMPv2.
pub(crate) fn translated(trap: &TrapV1<'_>, community: &[u8]) -> Result<Vec<u8>, TranslationError> {
    let notification = NotificationV2::from_trap_v1(trap, Some(community))?;
    let mut octets = vec![0; trap.var_binds.encoded().len() + community.len() + INITIAL_ROOM];
    loop {
        let mut writer = ForwardWriter::new(&mut octets);
        match notification.append(&mut writer) {
            Ok(()) => {
                let length = writer.len();
                octets.truncate(length);
                return Ok(octets);
            }
            Err(BufferFullError) => octets.resize(octets.len() * 2, 0),
        }
    }
}

/// Room for the variables that are added to those of a trap.
const INITIAL_ROOM: usize = 256;

#[cfg(test)]
mod tests;
