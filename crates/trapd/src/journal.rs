//! Notifications in the journal of systemd, over its native protocol.
//!
//! An entry is one datagram of fields. A field is `NAME=value` and a line feed; if the value
//! contains a line feed, it is `NAME`, a line feed, the length of the value in eight octets (least
//! significant first), the value and a line feed.

mod message;

use std::{
    io::{self, ErrorKind},
    os::unix::net::UnixDatagram,
    path::{Path, PathBuf},
    time::Duration,
};

use portreeve_mib::format::OutputFormat;
use portreeve_smi::display_arcs;

use crate::{MessageDetails, Notification, NotificationKind, json_line::version};

/// A connection to the journal.
///
/// An entry has the fields `MESSAGE`, `PRIORITY`, `SYSLOG_FACILITY` and `SYSLOG_IDENTIFIER`, and
/// for the notification `SNMP_TRAP_OID`, `SNMP_TRAP_NAME`, `SNMP_KIND`, `SNMP_VERSION`,
/// `SNMP_TRANSPORT`, `SNMP_SOURCE`, `SNMP_SECURITY_MODEL`, `SNMP_SECURITY_NAME`,
/// `SNMP_SECURITY_LEVEL`, `SNMP_ENGINE_ID` (securityEngineID, for USM) and `SNMP_UPTIME`. No field
/// contains the community, because more users can read the journal than the file of lines.
pub struct Journal {
    socket: UnixDatagram,
    path: PathBuf,
}

impl Journal {
    /// Opens the journal with the socket `path`.
    ///
    /// # Errors
    /// The journal does not run, or its socket cannot be used.
    pub fn open(path: &Path) -> io::Result<Self> {
        // Fails if no journal listens. The entries are sent without a connection, because that
        // would end when the journal is restarted.
        UnixDatagram::unbound()?.connect(path)?;
        let socket = UnixDatagram::unbound()?;
        socket.set_write_timeout(Some(SEND_TIMEOUT))?;
        Ok(Self { socket, path: path.to_owned() })
    }

    /// Writes an entry. If it is too long for a datagram, the end of its message is cut off.
    ///
    /// # Errors
    /// The journal does not accept the entry, or takes longer than a second.
    pub fn write(&self, entry: &JournalEntry) -> io::Result<()> {
        let JournalEntry { message, fields } = entry;
        let mut length = MAX_MESSAGE;
        loop {
            let mut octets = Vec::with_capacity(fields.len() + message.len().min(length) + 32);
            push_field(&mut octets, "MESSAGE", cut(message.trim_end(), length).as_bytes());
            octets.extend_from_slice(fields);
            match self.send(&octets) {
                Err(error) if is_too_long(&error) && length > MIN_MESSAGE => length /= 2,
                result => return result,
            }
        }
    }

    fn send(&self, entry: &[u8]) -> io::Result<()> {
        loop {
            match self.socket.send_to(entry, &self.path) {
                Ok(_) => return Ok(()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// A notification in the form of the journal.
pub struct JournalEntry {
    message: String,
    /// All fields except the message.
    fields: Vec<u8>,
}

impl JournalEntry {
    /// Creates an entry. Its message has the default lines without the community. Names and values
    /// have the form of `values`.
    pub fn new(notification: &Notification<'_>, details: &MessageDetails<'_>, values: &OutputFormat) -> Self {
        Self::with_message(message::text(notification, values), notification, details, values)
    }

    fn with_message(
        message: String,
        notification: &Notification<'_>,
        details: &MessageDetails<'_>,
        names: &OutputFormat,
    ) -> Self {
        Self { message, fields: fields(notification, details, names) }
    }

    /// Returns the size of the entry in octets.
    pub fn octets(&self) -> usize {
        self.message.len() + self.fields.len()
    }
}

/// Returns all fields except the message.
fn fields(notification: &Notification<'_>, details: &MessageDetails<'_>, names: &OutputFormat) -> Vec<u8> {
    let mut fields = Vec::new();
    let mut push = |name: &str, value: &str| push_field(&mut fields, name, value.as_bytes());
    push("PRIORITY", PRIORITY_INFO);
    push("SYSLOG_FACILITY", FACILITY_DAEMON);
    push("SYSLOG_IDENTIFIER", "portreeve-trapd");
    push("SNMP_TRAP_OID", &format!(".{}", display_arcs(details.snmp_trap_oid)));
    let mut name = String::new();
    names.name(&mut name, details.snmp_trap_oid);
    push("SNMP_TRAP_NAME", &name);
    push(
        "SNMP_KIND",
        if matches!(notification.kind, NotificationKind::Inform(_)) { "inform" } else { "trap" },
    );
    push("SNMP_VERSION", version(notification.version));
    push("SNMP_TRANSPORT", &details.domain.to_string());
    push("SNMP_SOURCE", &details.source.to_string());
    push("SNMP_SECURITY_MODEL", &details.security_model.to_string());
    push("SNMP_SECURITY_LEVEL", details.security_level.name());
    push("SNMP_UPTIME", &details.sys_up_time.to_string());
    if let Some(engine_id) = details.security_engine_id {
        push("SNMP_ENGINE_ID", &engine_id.to_string());
    }
    push_field(&mut fields, "SNMP_SECURITY_NAME", details.security_name);
    fields
}

fn push_field(entry: &mut Vec<u8>, name: &str, value: &[u8]) {
    entry.extend_from_slice(name.as_bytes());
    if value.contains(&b'\n') {
        entry.push(b'\n');
        entry.extend_from_slice(&(value.len() as u64).to_le_bytes());
    } else {
        entry.push(b'=');
    }
    entry.extend_from_slice(value);
    entry.push(b'\n');
}

/// Returns the first characters of a text, in `length` octets at most, and an ellipsis if others
/// are missing.
fn cut(text: &str, length: usize) -> String {
    if text.len() <= length {
        return text.to_owned();
    }
    let ends = text.char_indices().map(|(start, character)| start + character.len_utf8());
    let end = ends.take_while(|end| *end <= length).last().unwrap_or(0);
    format!("{}…", text.get(..end).unwrap_or_default())
}

fn is_too_long(error: &io::Error) -> bool {
    let errno = rustix::io::Errno::from_io_error(error);
    matches!(errno, Some(rustix::io::Errno::MSGSIZE | rustix::io::Errno::NOBUFS))
}

/// The time that the journal may take to accept an entry.
const SEND_TIMEOUT: Duration = Duration::from_secs(1);
/// The maximum length of a message, in octets. It is halved while the system refuses the datagram.
const MAX_MESSAGE: usize = 256 << 10;
/// The length below which a message is not cut, in octets.
const MIN_MESSAGE: usize = 64;
/// The priority of syslog for information.
const PRIORITY_INFO: &str = "6";
/// The facility of syslog for daemons.
const FACILITY_DAEMON: &str = "3";

#[cfg(test)]
mod tests;
