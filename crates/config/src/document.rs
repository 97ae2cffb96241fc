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
    Problem, Rejected, Severity,
    options::Section,
    problem::{Place, Problems},
    reader::{Reader, Written, place_of, shown, unknown},
};

/// The tables of one file.
pub struct Document<'t, 'p> {
    table: &'t DeTable<'t>,
    /// What is wrong with them, to be added to.
    pub problems: &'p mut Problems,
}

impl<'t> Document<'t, '_> {
    /// Reports sections that none of `known` is.
    pub fn only(&mut self, known: &[&str]) {
        for key in self.table.keys().filter(|key| !known.contains(&&**key.get_ref())) {
            let name = key.get_ref();
            let found = format!("there is no section `{}`", shown(name));
            unknown(self.problems, place_of(key), &found, name, known.iter().copied());
        }
    }

    /// Reads the one table `[name]`; `None` where it is not there.
    pub fn one<T>(
        &mut self,
        section: &'static Section,
        read: impl FnOnce(&mut Reader<'t, '_>) -> T,
    ) -> Option<T> {
        let value = self.table.get(section.name)?;
        match value.get_ref() {
            DeValue::Table(table) => {
                Some(read(&mut Reader::new(section, table, place_of(value), self.problems)))
            }
            found => {
                self.wrong_shape(section, place_of(value), found);
                None
            }
        }
    }

    /// Reads each table `[[name]]`, which may stand in another section: `[[outer.name]]`.
    pub fn each<T>(
        &mut self,
        section: &'static Section,
        mut read: impl FnMut(&mut Reader<'t, '_>) -> T,
    ) -> Vec<T> {
        let Some(value) = self.find(section.name) else { return Vec::new() };
        let DeValue::Array(entries) = value.get_ref() else {
            self.wrong_shape(section, place_of(value), value.get_ref());
            return Vec::new();
        };
        let mut all = Vec::new();
        for entry in entries {
            match entry.get_ref() {
                DeValue::Table(table) => {
                    all.push(read(&mut Reader::new(section, table, place_of(entry), self.problems)));
                }
                other => self.wrong_shape(section, place_of(entry), other),
            }
        }
        all
    }

    /// Reads each table `[kind.NAME]`; `section` says what keys they have.
    pub fn named<T>(
        &mut self,
        kind: &str,
        section: &'static Section,
        mut read: impl FnMut(Written<String>, &mut Reader<'t, '_>) -> T,
    ) -> Vec<T> {
        let Some(value) = self.table.get(kind) else { return Vec::new() };
        let DeValue::Table(tables) = value.get_ref() else {
            self.not_named(kind, place_of(value), value.get_ref());
            return Vec::new();
        };
        let mut all = Vec::new();
        for (name, value) in tables {
            match value.get_ref() {
                DeValue::Table(table) => {
                    let name = Written { value: name.get_ref().clone().into_owned(), place: place_of(name) };
                    let reader = &mut Reader::new(section, table, name.place, self.problems);
                    all.push(read(name, reader));
                }
                other => self.not_named(kind, place_of(value), other),
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

    fn wrong_shape(&mut self, section: &Section, place: Place, found: &DeValue<'_>) {
        let article = if section.repeated { "a list of tables" } else { "one table" };
        let found = format!("`{}` is {article}, found a TOML {}", section.name, found.type_str());
        self.problems.error(place, found).hint(format!("begin it with a line {}", section.heading()));
    }

    fn not_named(&mut self, kind: &str, place: Place, found: &DeValue<'_>) {
        let found = format!("`{kind}` holds tables with names, found a TOML {}", found.type_str());
        self.problems.error(place, found).hint(format!("begin each with a line [{kind}.NAME]"));
    }
}

/// Reads the file `path` with `build`; returns what that made of it, and the warnings.
///
/// # Errors
/// All errors and warnings, in the order of their lines, where there is an error among them.
pub fn read<T>(
    path: &Path,
    build: impl FnOnce(&mut Document<'_, '_>) -> T,
) -> Result<(T, Vec<Problem>), Rejected> {
    let octets = match fs::read(path) {
        Ok(octets) => Secret::new(octets),
        Err(error) => {
            let mut problems = Problems::new(path, "");
            problems.whole_file(Severity::Error, format!("cannot be read: {error}"));
            return Err(Rejected(problems.into_list()));
        }
    };
    match std::str::from_utf8(octets.expose()) {
        Ok(text) => read_text(text, path, build),
        Err(error) => {
            let readable = octets.expose().get(..error.valid_up_to()).unwrap_or_default();
            let mut problems = Problems::new(path, &String::from_utf8_lossy(readable));
            problems
                .error(Place(readable.len()), "found octets that are not UTF-8")
                .hint("save the file as UTF-8 text; octets that are none are written as hexadecimal digits");
            Err(Rejected(problems.into_list()))
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
) -> Result<(T, Vec<Problem>), Rejected> {
    let mut problems = Problems::new(file, text);
    let (table, faults) = DeTable::parse_recoverable(text);
    for fault in &faults {
        let place = fault.span().map_or(text.len(), |span| span.start);
        problems.error(Place(place), format!("not TOML: {}", fault.message()));
    }
    if problems.has_errors() {
        // What was meant can only be guessed; guesses would report what is not there.
        return Err(Rejected(problems.into_list()));
    }
    let built = build(&mut Document { table: table.get_ref(), problems: &mut problems });
    if problems.has_errors() {
        Err(Rejected(problems.into_list()))
    } else {
        Ok((built, problems.into_list()))
    }
}
