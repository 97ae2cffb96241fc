//! The lines in which a notification is printed if no format is configured: those of snmptrapd.

use portreeve_mib::format::OutputFormat;

use crate::{LineFormat, Notification, NotificationKind};

/// Appends a notification in the default form, with line breaks. Names and values have the form of
/// `values`.
pub fn write_default_line(out: &mut String, notification: &Notification<'_>, values: &OutputFormat) {
    let format = match &notification.kind {
        NotificationKind::TrapV1(trap) => {
            // Unlike the field %q, this line has no dot before the number.
            let specific = trap.specific;
            format!("{DATE} %A [%a] (via %b) %P\\n\\t%N %W Trap ({specific}) Uptime: %#T\\n%V\\t%#v\\n")
        }
        NotificationKind::Trap(_) | NotificationKind::Inform(_) => format!("{DATE} %B [%b]:\\n%v\\n"),
    };
    // The formats are valid: see the tests.
    if let Ok(format) = LineFormat::parse(&format) {
        format.write(out, notification, values);
    }
}

const DATE: &str = "%.4y-%.2m-%.2l %.2h:%.2j:%.2k";

#[cfg(test)]
mod tests;
