//! A file of sections, read with every problem in it: what all our configuration files have in common.
//!
//! [`read`] finds the file and its syntax; the caller's function takes the sections out of the [`Document`] and builds
//! what they mean. A file with an error means nothing.

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
    /// What is wrong with them, to be added to.
    pub problems: &'p mut Problems,
}

impl<'t> Document<'t, '_> {
    /// Reports sections that none of `known` is.
    pub fn reject_unknown_sections(&mut self, known: &[&str]) {
        for key in self.table.keys().filter(|key| !known.contains(&&**key.get_ref())) {
            let name = key.get_ref();
            let found = format!("there is no section `{}`", display_escaped(name));
            report_unknown(self.problems, position_of(key), &found, name, known.iter().copied());
        }
    }

    /// Reads the one table `[name]`; `None` where it is not there.
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

    /// Reads each table `[[name]]`, which may stand in another section: `[[outer.name]]`.
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

    /// Reads each table `[kind.NAME]`; `section` says what keys they have.
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
        let article = if section.repeated { "a list of tables" } else { "one table" };
        let found = format!("`{}` is {article}, found a TOML {}", section.name, found.type_str());
        self.problems.error(position, found).hint(format!("begin it with a line {}", section.heading()));
    }

    fn reject_unnamed(&mut self, kind: &str, position: TextPosition, found: &DeValue<'_>) {
        let found = format!("`{kind}` holds tables with names, found a TOML {}", found.type_str());
        self.problems.error(position, found).hint(format!("begin each with a line [{kind}.NAME]"));
    }
}

/// Reads the file `path` with `build`; returns what that made of it, and the warnings.
///
/// # Errors
/// All errors and warnings, in the order of their lines, where there is an error among them.
pub fn read<T>(
    path: &Path,
    build: impl FnOnce(&mut Document<'_, '_>) -> T,
) -> Result<(T, Vec<Problem>), ConfigError> {
    let octets = match fs::read(path) {
        Ok(octets) => Secret::new(octets),
        Err(error) => {
            let mut problems = Problems::new(path, "");
            problems.whole_file(Severity::Error, format!("cannot be read: {error}"));
            return Err(ConfigError(problems.into_list()));
        }
    };
    match std::str::from_utf8(octets.expose()) {
        Ok(text) => read_text(text, path, build),
        Err(error) => {
            let readable = octets.expose().get(..error.valid_up_to()).unwrap_or_default();
            let mut problems = Problems::new(path, &String::from_utf8_lossy(readable));
            problems
                .error(TextPosition(readable.len()), "found octets that are not UTF-8")
                .hint("save the file as UTF-8 text; octets that are none are written as hexadecimal digits");
            Err(ConfigError(problems.into_list()))
        }
    }
}

/// The same for `text`, which stands in `file`.
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
        problems.error(TextPosition(position), format!("not TOML: {}", syntax_error.message()));
    }
    if problems.has_errors() {
        // What was meant can only be guessed; guesses would report what is not there.
        return Err(ConfigError(problems.into_list()));
    }
    let built = build(&mut Document { table: table.get_ref(), problems: &mut problems });
    if problems.has_errors() {
        Err(ConfigError(problems.into_list()))
    } else {
        Ok((built, problems.into_list()))
    }
}
