//! Names and values as Net-SNMP's commands print them.
//!
//! Scripts parse these lines, so every form is kept to the letter, with one exception: control characters in strings
//! are shown as dots, because a device's answer must not steer anybody's terminal. Where nobody's terminal is,
//! [`OutputFormat::raw_octets`] leaves them as they came.

mod hint;
mod name;
mod octets;
mod raw;
mod text;
mod value;

use std::fmt;

use portreeve_smi::Value;

use crate::{Object, names::Names};
pub use raw::octets_of;

/// How names and values are printed: the letters of `-O`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "one switch for each letter of -O")]
pub struct OutputFormat {
    /// The definitions that names and values are printed by.
    pub definitions: &'static Names,
    /// `f`, `n`, `s`, `S`, `u`: which form names have.
    pub names: NameForm,
    /// `a`, `x`: whether strings without DISPLAY-HINT are shown as text or in hexadecimal.
    pub strings: StringForm,
    /// `b`: leave an index as numbers.
    pub plain_index: bool,
    /// `e`: leave enumerated values as numbers.
    pub plain_enumerations: bool,
    /// `E`: put a backslash before the quotes of an index.
    pub escaped_quotes: bool,
    /// `q`: print no type, and a blank instead of the equals sign.
    pub quick: bool,
    /// `Q`: print no type.
    pub quick_equals: bool,
    /// `t`: leave TimeTicks as a number.
    pub plain_time_ticks: bool,
    /// `T`: print text beside hexadecimal digits.
    pub text_beside_hex: bool,
    /// `U`: print no units.
    pub no_units: bool,
    /// `v`: print the value only.
    pub value_only: bool,
    /// `X`: put brackets around index values.
    pub bracketed_index: bool,
    /// `0`: print two digits of every octet in hexadecimal.
    pub two_digit_hex: bool,
    /// Print strings octet by octet, whatever they do to a terminal: [`octets_of`] the text is then what to write.
    pub raw_octets: bool,
}

/// The forms a name is printed in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NameForm {
    /// `SNMPv2-MIB::sysDescr.0`
    #[default]
    Module,
    /// `sysDescr.0`
    Suffix,
    /// `.iso.org.dod.internet.mgmt.mib-2.system.sysDescr.0`
    Full,
    /// `.1.3.6.1.2.1.1.1.0`
    Numeric,
    /// `system.sysDescr.0`
    Ucd,
}

/// The forms a string without DISPLAY-HINT is printed in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StringForm {
    /// Text if all of it can be printed, hexadecimal otherwise.
    #[default]
    Guess,
    /// Text.
    Text,
    /// Hexadecimal.
    Hex,
}

impl OutputFormat {
    /// Applies letters of `-O`, each of which turns its switch over.
    pub fn apply(&mut self, letters: &str) -> Result<(), UnknownLetterError> {
        for letter in letters.chars() {
            match letter {
                'S' => self.names = NameForm::Module,
                's' => self.names = NameForm::Suffix,
                'f' => self.names = NameForm::Full,
                'n' => self.names = NameForm::Numeric,
                'u' => self.names = NameForm::Ucd,
                'a' => self.strings = StringForm::Text,
                'x' => self.strings = StringForm::Hex,
                _ => {
                    let switch = self.switch(letter).ok_or(UnknownLetterError(letter))?;
                    *switch = !*switch;
                }
            }
        }
        Ok(())
    }

    /// Appends a variable's line, without its end.
    pub fn variable(&self, out: &mut String, name: &[u32], value: &Value<'_>) {
        if !self.value_only {
            self.name(out, name);
            out.push_str(if self.quick && !self.quick_equals { " " } else { " = " });
        }
        self.value(out, self.definitions.resolve(name).map(|found| found.object), value);
    }

    /// Appends a name.
    pub fn name(&self, out: &mut String, name: &[u32]) {
        name::write(self, out, name);
    }

    /// Appends the value of an instance of `object`; `None` where the object is unknown.
    pub fn value(&self, out: &mut String, object: Option<&Object>, value: &Value<'_>) {
        value::write(self, out, object, value);
    }

    /// Whether types are left out.
    fn is_quick(&self) -> bool {
        self.quick || self.quick_equals
    }

    fn switch(&mut self, letter: char) -> Option<&mut bool> {
        Some(match letter {
            'b' => &mut self.plain_index,
            'e' => &mut self.plain_enumerations,
            'E' => &mut self.escaped_quotes,
            'q' => &mut self.quick,
            'Q' => &mut self.quick_equals,
            't' => &mut self.plain_time_ticks,
            'T' => &mut self.text_beside_hex,
            'U' => &mut self.no_units,
            'v' => &mut self.value_only,
            'X' => &mut self.bracketed_index,
            '0' => &mut self.two_digit_hex,
            _ => return None,
        })
    }
}

/// A letter that `-O` does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownLetterError(pub char);

impl fmt::Display for UnknownLetterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Unknown output option passed to -O: {}.", self.0)
    }
}

impl std::error::Error for UnknownLetterError {}

#[cfg(test)]
pub(crate) fn write_by_hint(out: &mut String, hint: &str, octets: &[u8]) {
    hint::write_octets(&OutputFormat::default(), out, hint, octets);
}

#[cfg(test)]
mod tests;
