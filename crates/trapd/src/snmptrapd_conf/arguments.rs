//! The values of one directive, which are read from left to right.

use portreeve_net_snmp_conf::Directive;
use portreeve_secret::wipe;

use super::Reason;

/// The values of a directive that have not been read.
pub(super) struct Arguments {
    values: std::vec::IntoIter<String>,
}

impl Arguments {
    pub(super) fn of(directive: &Directive) -> Self {
        Self { values: directive.values().into_iter() }
    }

    /// Returns the next value. `expected` describes it, for the error message.
    pub(super) fn required(&mut self, expected: &str) -> Result<String, Reason> {
        self.values.next().ok_or_else(|| format!("missing value: expected {expected}"))
    }

    pub(super) fn optional(&mut self) -> Option<String> {
        self.values.next()
    }

    /// Returns the next value if it is the option `name`, ignoring case.
    pub(super) fn takes_option(&mut self, name: &str) -> bool {
        let found = self.values.as_slice().first().is_some_and(|value| value.eq_ignore_ascii_case(name));
        found && self.values.next().is_some()
    }

    /// Returns all other values.
    pub(super) fn rest(&mut self) -> Vec<String> {
        self.values.by_ref().collect()
    }

    /// Fails if there are more values, which are not printed because they may be secrets.
    pub(super) fn end(&mut self, after: &str) -> Result<(), Reason> {
        match self.values.len() {
            0 => Ok(()),
            count => Err(format!(
                "{count} unexpected values after {after}: remove them, or put a value with spaces in quotes"
            )),
        }
    }
}

/// Wipes the values, which may be secrets.
impl Drop for Arguments {
    fn drop(&mut self) {
        self.values.by_ref().for_each(|value| wipe(&mut value.into_bytes()));
    }
}
