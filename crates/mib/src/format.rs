//! Formats names and values like Net-SNMP's commands.
//!
//! Scripts parse this output, so its format is identical to Net-SNMP's, with these exceptions:
//! control characters in strings are replaced by dots, so that a device's response cannot control
//! the terminal, even if the output is piped through another program; [`OctetForm::Raw`] preserves
//! them. A DISPLAY-HINT never reads beyond the end of a string, and its parts of width 0 consume no
//! octets, as RFC 2579 requires.

mod hint;
mod name;
mod number;
mod octets;
mod raw;
mod text;
mod value;

use std::fmt;

use portreeve_smi::Value;

use crate::{Object, names::Names};
pub use number::push_number;
pub use raw::octets_of;

/// The output options of `-O`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "one switch for each letter of -O")]
pub struct OutputFormat {
    /// The definitions used for names and values.
    pub definitions: &'static Names,
    /// The form of names: `-Of`, `-On`, `-Os`, `-OS` or `-Ou`.
    pub names: NameForm,
    /// The form of strings without DISPLAY-HINT: `-Oa` for text, `-Ox` for hexadecimal.
    pub strings: StringForm,
    /// `-Ob`: print indexes as numbers.
    pub plain_index: bool,
    /// `-Oe`: print enumerated values as numbers.
    pub plain_enumerations: bool,
    /// `-OE`: escape the quotes of an index with a backslash.
    pub escaped_quotes: bool,
    /// `-Oq`: omit types, and print a blank instead of the equals sign.
    pub quick: bool,
    /// `-OQ`: omit types.
    pub quick_equals: bool,
    /// `-Ot`: print TimeTicks as a number.
    pub plain_time_ticks: bool,
    /// `-OT`: print text next to hexadecimal digits.
    pub text_beside_hex: bool,
    /// `-OU`: omit units.
    pub no_units: bool,
    /// `-Ov`: print only the value.
    pub value_only: bool,
    /// `-OX`: put index values in brackets.
    pub bracketed_index: bool,
    /// `-O0`: print octets in hexadecimal with two digits.
    pub two_digit_hex: bool,
    /// The treatment of control characters, and of octets that are not UTF-8. Write the output with
    /// [`octets_of`].
    pub octets: OctetForm,
}

/// The treatment of octets that are not printable, in strings with a DISPLAY-HINT for text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OctetForm {
    /// Dots replace control characters and octets that are not UTF-8.
    #[default]
    Printable,
    /// Dots replace control characters, but not white space. Octets that are not UTF-8 are
    /// preserved, except those that are control characters in other character sets.
    NoControls,
    /// All octets are preserved, including control characters.
    Raw,
}

/// The forms of a name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NameForm {
    /// The module and the last part of the name: `SNMPv2-MIB::sysDescr.0`.
    #[default]
    Module,
    /// The last part of the name: `sysDescr.0`.
    Suffix,
    /// The full path in names: `.iso.org.dod.internet.mgmt.mib-2.system.sysDescr.0`.
    Full,
    /// The full path in numbers: `.1.3.6.1.2.1.1.1.0`.
    Numeric,
    /// The path without the usual prefix, as UCD-SNMP printed it: `system.sysDescr.0`.
    Ucd,
}

/// The forms of a string without DISPLAY-HINT.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StringForm {
    /// Text if all octets are printable, otherwise hexadecimal.
    #[default]
    Guess,
    /// Always text.
    Text,
    /// Always hexadecimal.
    Hex,
}

impl OutputFormat {
    /// Applies letters of `-O`. Each letter toggles the option that it stands for.
    ///
    /// # Errors
    /// Returns an error if a letter is not an option of `-O`.
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

    /// Appends the line of a variable, without a line break.
    pub fn variable(&self, out: &mut String, name: &[u32], value: &Value<'_>) {
        if !self.value_only {
            self.name(out, name);
            out.push_str(if self.quick && !self.quick_equals { " " } else { " = " });
        }
        self.value(out, self.definitions.resolve(name).map(|found| found.object), value);
    }

    /// Appends a name in the selected form.
    pub fn name(&self, out: &mut String, name: &[u32]) {
        name::write(self, out, name);
    }

    /// Appends the value of an instance of `object`; `None` if the object is unknown.
    pub fn value(&self, out: &mut String, object: Option<&Object>, value: &Value<'_>) {
        value::write(self, out, object, value);
    }

    /// Returns true if types are omitted.
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

/// A letter that is not an option of `-O`.
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
    assert!(hint::write_octets(&OutputFormat::default(), out, hint, octets).is_ok(), "{hint}");
}

#[cfg(test)]
mod tests;
