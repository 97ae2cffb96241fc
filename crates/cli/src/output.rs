//! Standard output: buffers data and writes it in large pieces. Nothing but data is printed there.
//!
//! The output owns the definitions with which names and values are printed and parsed. They grow
//! when a name requires a module that is not loaded.

pub(crate) mod record;

use std::io::{self, IsTerminal, Write};

use portreeve_mib::{
    format::{OutputFormat, octets_of},
    names::{NameError, Names},
};
use portreeve_smi::{OidBuf, OidRef, Value, ber};
use portreeve_snmp_message::VarBind;

use crate::definitions::ModuleLoader;
use portreeve_mib_files::MibSearch;
use record::{DataFormat, csv_line};

/// A buffer for standard output.
pub(crate) struct Output {
    format: OutputFormat,
    modules: ModuleLoader,
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
    pub(crate) fn new(format: OutputFormat, data_format: DataFormat, modules: ModuleLoader) -> Self {
        let is_terminal = io::stdout().is_terminal();
        let limit = if is_terminal { 0 } else { WRITE_THRESHOLD };
        Self {
            format,
            modules,
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

    /// Returns the definitions that are loaded.
    pub(crate) fn definitions(&self) -> &'static Names {
        self.format.definitions
    }

    /// Parses a name. Loads modules as long as the name is unknown.
    pub(crate) fn parse_name(&mut self, text: &str) -> Result<OidBuf, NameError> {
        loop {
            match self.definitions().parse(text) {
                Err(error) if self.load_for_name(&error) => {}
                result => return result,
            }
        }
    }

    /// Loads modules that an unknown name may require. Returns false if nothing is left to load.
    pub(crate) fn load_for_name(&mut self, error: &NameError) -> bool {
        let names = self.modules.load_for_name(error);
        self.format.definitions = names.unwrap_or(self.format.definitions);
        names.is_some()
    }

    /// Loads the default modules if no loaded module defines the object of an identifier.
    pub(crate) fn load_for_oid(&mut self, oid: &[u32]) {
        let is_known = |names: &Names| {
            let found = names.resolve(oid);
            found.is_some_and(|found| found.suffix.is_empty() || found.object.syntax().is_some())
        };
        if MibSearch::defaults_may_define(oid) && !is_known(self.definitions()) {
            self.load_defaults();
        }
    }

    /// Loads the default modules, unless others replace them.
    pub(crate) fn load_defaults(&mut self) {
        if let Some(names) = self.modules.load_defaults() {
            self.format.definitions = names;
        }
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
        self.load_for_variable(&bind.value);
        if self.data_format == DataFormat::Lines {
            self.format.variable(&mut self.text, &self.name, &bind.value);
            self.text.push('\n');
        } else if !(self.skips_end && bind.value == Value::EndOfMibView) {
            self.begin_record(&VARIABLE_FIELDS);
            record::push_variable(&mut self.text, self.data_format, self.format, &self.name, &bind.value);
            self.end_record();
        }
    }

    /// Loads the default modules if they may define the variable at `self.name` or its value.
    fn load_for_variable(&mut self, value: &Value<'_>) {
        let name = std::mem::take(&mut self.name);
        self.load_for_oid(&name);
        self.name = name;
        if let Value::ObjectId(identifier) = value {
            self.load_for_oid(&identifier.to_buf());
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
