//! The lines in which a notification is printed if no format is configured: those of snmptrapd.

use std::sync::LazyLock;

use portreeve_mib::format::OutputFormat;

use crate::{LineFormat, Notification, NotificationKind};

/// Appends a notification in the default form, with line breaks. Names and values have the form of
/// `values`.
pub fn write_default_line(out: &mut String, notification: &Notification<'_>, values: &OutputFormat) {
    match &notification.kind {
        NotificationKind::TrapV1(trap) => {
            FORMATS.before_specific.write(out, notification, values);
            // Unlike the field %q, this line has no dot before the number.
            out.push_str(&trap.specific.to_string());
            FORMATS.after_specific.write(out, notification, values);
        }
        NotificationKind::Trap(_) | NotificationKind::Inform(_) => {
            FORMATS.v2.write(out, notification, values);
        }
    }
}

/// The formats of the lines.
struct DefaultFormats {
    /// The beginning of the lines of an SNMPv1 trap, before its specific-trap.
    before_specific: LineFormat,
    after_specific: LineFormat,
    v2: LineFormat,
}

/// The formats, which are parsed once.
static FORMATS: LazyLock<DefaultFormats> = LazyLock::new(|| {
    // The formats are valid: see the tests.
    let parse = |text: &str| LineFormat::parse(text).unwrap_or_default();
    DefaultFormats {
        before_specific: parse("%.4y-%.2m-%.2l %.2h:%.2j:%.2k %A [%a] (via %b) %P\\n\\t%N %W Trap ("),
        after_specific: parse(") Uptime: %#T\\n%V\\t%#v\\n"),
        v2: parse("%.4y-%.2m-%.2l %.2h:%.2j:%.2k %B [%b]:\\n%v\\n"),
    }
});

#[cfg(test)]
mod tests;
