//! Reads a file of sections and reports all of its problems; shared by all configuration files.
//!
//! [`read`] reads the file and parses its TOML syntax. The caller's function takes the sections
//! from the [`Document`] and builds the result. If the file contains an error, there is no result.

use std::{fs, path::Path};

use portreeve_secret::Secret;
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use crate::{
    ConfigError, Problem, Severity,
    options::Section,
    problem::{Problems, TextPosition},
    reader::{Located, Reader, display_escaped, position_of, report_unknown},
};

/// The tables of one file.
pub struct Document<'t, 'p> {
    table: &'t DeTable<'t>,
    /// The problems found so far.
    pub problems: &'p mut Problems,
}

impl<'t> Document<'t, '_> {
    /// Reports sections that are not in `known`.
    pub fn reject_unknown_sections(&mut self, known: &[&str]) {
        for key in self.table.keys().filter(|key| !known.contains(&&**key.get_ref())) {
            let name = key.get_ref();
            let found = format!("unknown section `{}`", display_escaped(name));
            report_unknown(self.problems, position_of(key), &found, name, known.iter().copied());
        }
    }

    /// Reads the table `[name]`; `None` if the file does not contain it.
    pub fn read_table<T>(
        &mut self,
        section: &'static Section,
        read: impl FnOnce(&mut Reader<'t, '_>) -> T,
    ) -> Option<T> {
        let value = self.table.get(section.name)?;
        match value.get_ref() {
            DeValue::Table(table) => {
                Some(read(&mut Reader::new(section, table, position_of(value), self.problems)))
            }
            found => {
                self.reject_shape(section, position_of(value), found);
                None
            }
        }
    }

    /// Reads each table `[[name]]`, which may be nested in another section: `[[outer.name]]`.
    pub fn read_tables<T>(
        &mut self,
        section: &'static Section,
        mut read: impl FnMut(&mut Reader<'t, '_>) -> T,
    ) -> Vec<T> {
        let Some(value) = self.find(section.name) else { return Vec::new() };
        let DeValue::Array(entries) = value.get_ref() else {
            self.reject_shape(section, position_of(value), value.get_ref());
            return Vec::new();
        };
        let mut all = Vec::new();
        for entry in entries {
            match entry.get_ref() {
                DeValue::Table(table) => {
                    all.push(read(&mut Reader::new(section, table, position_of(entry), self.problems)));
                }
                other => self.reject_shape(section, position_of(entry), other),
            }
        }
        all
    }

    /// Reads each table `[kind.NAME]`; `section` defines the keys of these tables.
    pub fn read_named_tables<T>(
        &mut self,
        kind: &str,
        section: &'static Section,
        mut read: impl FnMut(Located<String>, &mut Reader<'t, '_>) -> T,
    ) -> Vec<T> {
        let Some(value) = self.table.get(kind) else { return Vec::new() };
        let DeValue::Table(tables) = value.get_ref() else {
            self.reject_unnamed(kind, position_of(value), value.get_ref());
            return Vec::new();
        };
        let mut all = Vec::new();
        for (name, value) in tables {
            match value.get_ref() {
                DeValue::Table(table) => {
                    let name =
                        Located { value: name.get_ref().clone().into_owned(), position: position_of(name) };
                    let reader = &mut Reader::new(section, table, name.position, self.problems);
                    all.push(read(name, reader));
                }
                other => self.reject_unnamed(kind, position_of(value), other),
            }
        }
        all
    }

    fn find(&self, name: &str) -> Option<&'t Spanned<DeValue<'t>>> {
        match name.split_once('.') {
            None => self.table.get(name),
            Some((outer, inner)) => match self.table.get(outer)?.get_ref() {
                DeValue::Table(table) => table.get(inner),
                _ => None,
            },
        }
    }

    fn reject_shape(&mut self, section: &Section, position: TextPosition, found: &DeValue<'_>) {
        let article = if section.repeated { "an array of tables" } else { "one table" };
        let found = format!("`{}` must be {article}, found a TOML {}", section.name, found.type_str());
        self.problems
            .error(position, found)
            .hint(format!("start the section with the line {}", section.heading()));
    }

    fn reject_unnamed(&mut self, kind: &str, position: TextPosition, found: &DeValue<'_>) {
        let found = format!("`{kind}` must contain named tables, found a TOML {}", found.type_str());
        self.problems.error(position, found).hint(format!("start each table with the line [{kind}.NAME]"));
    }
}

/// Reads the file `path`, builds the result with `build`, and returns it with the warnings.
///
/// # Errors
/// All errors and warnings, ordered by line, if there is at least one error.
pub fn read<T>(
    path: &Path,
    build: impl FnOnce(&mut Document<'_, '_>) -> T,
) -> Result<(T, Vec<Problem>), ConfigError> {
    let octets = match fs::read(path) {
        Ok(octets) => Secret::new(octets),
        Err(error) => {
            let mut problems = Problems::new(path, "");
            problems.whole_file(Severity::Error, format!("cannot read file: {error}"));
            return Err(ConfigError(problems.into_list()));
        }
    };
    match std::str::from_utf8(octets.expose()) {
        Ok(text) => read_text(text, path, build),
        Err(error) => {
            let readable = octets.expose().get(..error.valid_up_to()).unwrap_or_default();
            let mut problems = Problems::new(path, &String::from_utf8_lossy(readable));
            problems
                .error(TextPosition(readable.len()), "invalid UTF-8")
                .hint("save the file as UTF-8 text; write binary values as hexadecimal digits");
            Err(ConfigError(problems.into_list()))
        }
    }
}

/// Reads `text` as the content of `file`, like [`read`].
///
/// # Errors
/// As for [`read`].
pub fn read_text<T>(
    text: &str,
    file: &Path,
    build: impl FnOnce(&mut Document<'_, '_>) -> T,
) -> Result<(T, Vec<Problem>), ConfigError> {
    let mut problems = Problems::new(file, text);
    let (table, syntax_errors) = DeTable::parse_recoverable(text);
    for syntax_error in &syntax_errors {
        let position = syntax_error.span().map_or(text.len(), |span| span.start);
        problems.error(TextPosition(position), format!("invalid TOML: {}", syntax_error.message()));
    }
    if problems.has_errors() {
        // The intended meaning of invalid TOML is unknown; further checks would report false
        // problems.
        return Err(ConfigError(problems.into_list()));
    }
    let built = build(&mut Document { table: table.get_ref(), problems: &mut problems });
    if problems.has_errors() {
        Err(ConfigError(problems.into_list()))
    } else {
        Ok((built, problems.into_list()))
    }
}
