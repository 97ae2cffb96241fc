//! Standard output: buffers data and writes it in large pieces. Nothing but data is printed there.

pub(crate) mod record;

use std::io::{self, IsTerminal, Write};

use portreeve_mib::format::{OutputFormat, octets_of};
use portreeve_smi::{OidBuf, OidRef, Value, ber};
use portreeve_snmp_message::VarBind;

use record::{DataFormat, csv_line};

/// A buffer for standard output.
pub(crate) struct Output {
    format: OutputFormat,
    text: String,
    name: OidBuf,
    /// The buffer is written when it is larger than this number of bytes.
    limit: usize,
    data_format: DataFormat,
    /// Omits endOfMibView from records, because in a walk it is not a result.
    pub(crate) skips_end: bool,
    /// The number of records so far. A header line or bracket precedes the first.
    records: u64,
}

impl Output {
    /// Creates a buffer. On a terminal, each response is printed at once; a file or pipe gets
    /// larger pieces.
    pub(crate) fn new(format: OutputFormat, data_format: DataFormat) -> Self {
        let is_terminal = io::stdout().is_terminal();
        let limit = if is_terminal { 0 } else { WRITE_THRESHOLD };
        Self {
            format,
            text: String::new(),
            name: OidBuf::new(),
            limit,
            data_format,
            skips_end: false,
            records: 0,
        }
    }

    /// Returns the data format.
    pub(crate) fn data_format(&self) -> DataFormat {
        self.data_format
    }

    /// Returns the format of names and values.
    pub(crate) fn format(&self) -> OutputFormat {
        self.format
    }

    /// Toggles `-Oq` and returns the new setting.
    pub(crate) fn toggle_quick(&mut self) -> bool {
        self.format.quick = !self.format.quick;
        self.format.quick
    }

    /// Prints the line or record of a variable.
    pub(crate) fn print_variable(&mut self, bind: &VarBind<'_>) {
        match bind.name {
            OidRef::Arcs(arcs) => drop(self.name.set(arcs)),
            // Decoding cannot fail, because the name was validated when the message was parsed.
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

    /// Prints a record that is already formatted. `fields` are the names for the CSV header.
    pub(crate) fn print_record(&mut self, fields: &[&str], record: &str) {
        self.begin_record(fields);
        self.text.push_str(record);
        self.end_record();
    }

    /// Ends the output, for example by closing the JSON array.
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

    /// Prints a line that is not a variable. With a data format, it goes to standard error.
    pub(crate) fn print_line(&mut self, line: &str) {
        if self.data_format != DataFormat::Lines {
            return eprintln!("{line}");
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Prints text unchanged. With a data format, prints nothing.
    pub(crate) fn print_text(&mut self, text: &str) {
        if self.data_format == DataFormat::Lines {
            self.text.push_str(text);
        }
    }

    /// Formats a name for an error message, in the format of `-O`.
    pub(crate) fn format_name(&self, name: OidRef<'_>) -> String {
        let mut text = String::new();
        self.format.name(&mut text, &name.to_buf());
        text
    }

    /// Writes the buffer if it is large enough, after calling `before`. Called after each response.
    pub(crate) fn flush_if_due(&mut self, before: impl FnOnce()) -> io::Result<()> {
        if self.text.len() <= self.limit {
            return Ok(());
        }
        before();
        self.flush()
    }

    /// Writes the buffer, so that later messages on standard error appear after it.
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
