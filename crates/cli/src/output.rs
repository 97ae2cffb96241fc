//! What goes to standard output: lines are gathered and written in few pieces, data and nothing else.

pub(crate) mod record;

use std::io::{self, IsTerminal, Write};

use portreeve_mib::format::{OutputFormat, octets_of};
use portreeve_smi::{OidBuf, OidRef, Value, ber};
use portreeve_snmp_message::VarBind;

use record::{DataFormat, csv_line};

/// Gathers lines for standard output.
pub(crate) struct Output {
    format: OutputFormat,
    text: String,
    name: OidBuf,
    /// How much is gathered before it is written.
    limit: usize,
    data_format: DataFormat,
    /// Whether the end of the MIB is no record: in a walk it is not what was asked for.
    pub(crate) skips_end: bool,
    /// Records so far; a head line or bracket stands before the first.
    records: u64,
}

impl Output {
    /// On a terminal each answer is shown when it comes; a file or pipe gets larger pieces.
    pub(crate) fn new(mut format: OutputFormat, data: DataFormat) -> Self {
        let is_terminal = io::stdout().is_terminal();
        let limit = if is_terminal { 0 } else { WRITE_THRESHOLD };
        // A device must not steer anybody's terminal; programs get what it sent.
        format.raw_octets |= !is_terminal;
        Self {
            format,
            text: String::new(),
            name: OidBuf::new(),
            limit,
            data_format: data,
            skips_end: false,
            records: 0,
        }
    }

    /// Whether lines are for people, or what else.
    pub(crate) fn data_format(&self) -> DataFormat {
        self.data_format
    }

    /// How names and values are printed.
    pub(crate) fn format(&self) -> OutputFormat {
        self.format
    }

    /// Turns `-Oq` over; true if it now holds.
    pub(crate) fn toggle_quick(&mut self) -> bool {
        self.format.quick = !self.format.quick;
        self.format.quick
    }

    /// A variable's line.
    pub(crate) fn print_variable(&mut self, bind: &VarBind<'_>) {
        match bind.name {
            OidRef::Arcs(arcs) => drop(self.name.set(arcs)),
            // It was validated when the message came.
            OidRef::Encoded(content) => drop(ber::decode_oid(content, &mut self.name)),
        }
        if self.data_format == DataFormat::Lines {
            self.format.variable(&mut self.text, &self.name, &bind.value);
            self.text.push('\n');
        } else if !(self.skips_end && bind.value == Value::EndOfMibView) {
            self.begin_record(&VARIABLE_FIELDS);
            record::push_variable(&mut self.text, self.data_format, self.format, &self.name, &bind.value);
            self.end_record();
        }
    }

    /// A record that is already in its form. `fields` are the head line of CSV.
    pub(crate) fn print_record(&mut self, fields: &[&str], record: &str) {
        self.begin_record(fields);
        self.text.push_str(record);
        self.end_record();
    }

    /// Nothing more will come: closes what is open.
    pub(crate) fn finish(&mut self) {
        if self.data_format == DataFormat::Json {
            self.text.push_str(if self.records == 0 { "[]\n" } else { "\n]\n" });
        }
    }

    fn begin_record(&mut self, fields: &[&str]) {
        match (self.data_format, self.records) {
            (DataFormat::Json, 0) => self.text.push_str("[\n"),
            (DataFormat::Json, _) => self.text.push_str(",\n"),
            (DataFormat::Csv, 0) => {
                self.text.push_str(&csv_line(fields.iter().copied()));
                self.text.push('\n');
            }
            _ => {}
        }
        self.records += 1;
    }

    fn end_record(&mut self) {
        if self.data_format != DataFormat::Json {
            self.text.push('\n');
        }
    }

    /// Any other line, which is no data: among data it goes to standard error.
    pub(crate) fn print_line(&mut self, line: &str) {
        if self.data_format != DataFormat::Lines {
            return eprintln!("{line}");
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Text as it is, unless data is wanted.
    pub(crate) fn print_text(&mut self, text: &str) {
        if self.data_format == DataFormat::Lines {
            self.text.push_str(text);
        }
    }

    /// A name in the chosen form, for messages.
    pub(crate) fn format_name(&self, name: OidRef<'_>) -> String {
        let mut text = String::new();
        self.format.name(&mut text, &name.to_buf());
        text
    }

    /// An answer is complete: writes what is due, after `before`.
    pub(crate) fn flush_if_due(&mut self, before: impl FnOnce()) -> io::Result<()> {
        if self.text.len() <= self.limit {
            return Ok(());
        }
        before();
        self.flush()
    }

    /// Writes everything, so that a message on standard error comes after it.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        if self.text.is_empty() {
            return Ok(());
        }
        let mut stdout = io::stdout().lock();
        match self.data_format {
            DataFormat::Lines => stdout.write_all(&octets_of(&self.text))?,
            _ => stdout.write_all(self.text.as_bytes())?,
        }
        self.text.clear();
        stdout.flush()
    }
}

const VARIABLE_FIELDS: [&str; 5] = ["oid", "name", "type", "value", "label"];
const WRITE_THRESHOLD: usize = 1 << 16;
