//! The output of Net-SNMP's `snmpwalk`: `NAME = TYPE: VALUE`; a value can span several lines.
//!
//! ```text
//! line ── a name before " = "? ──yes──► completes the previous variable and begins a new one
//!                    │ no
//!                    └──────────────────────► continues the current variable
//! ```
//! A quoted string continues until its closing quotation mark, whatever its lines look like.

mod quoted;
mod value;

use portreeve_mib::names;
use portreeve_smi::{Oid, OwnedValue};

use super::{SyntaxError, builder::Builder};

/// Adds all variables of `text` to the recording.
pub(super) fn read(text: &[u8], builder: &mut Builder) {
    let mut current: Option<Variable> = None;
    for (index, line) in text.split(|octet| *octet == b'\n').enumerate() {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let quoted = current.as_ref().is_some_and(Variable::is_quoted_open);
        if line == END && !quoted {
            continue;
        }
        let next = if quoted { None } else { Variable::begin(index + 1, line) };
        match (next, &mut current) {
            (Some(next), _) => finish(current.replace(next), builder),
            (None, Some(variable)) => variable.append_line(line),
            (None, None) if line.trim_ascii().is_empty() => {}
            (None, None) => builder.add(index + 1, Err(SyntaxError::Variable)),
        }
    }
    finish(current, builder);
}

fn finish(variable: Option<Variable>, builder: &mut Builder) {
    if let Some(variable) = variable {
        let line = variable.line;
        if let Some(instance) = variable.instance().transpose() {
            builder.add(line, instance);
        }
    }
}

/// A variable whose value may continue in the next line.
struct Variable {
    /// The number of the variable's first line, counted from 1.
    line: usize,
    name: Option<Oid>,
    /// The text after the equals sign.
    value: Vec<u8>,
    quote: quoted::State,
}

impl Variable {
    /// Returns the variable that begins in this line, if any.
    fn begin(line: usize, text: &[u8]) -> Option<Self> {
        let at = text.windows(SEPARATOR.len()).position(|window| window == SEPARATOR);
        let (name, value) = match at {
            Some(at) => (text.get(..at)?, text.get(at + SEPARATOR.len()..)?),
            // If the value is empty, the space after the equals sign may be missing.
            None => (text.strip_suffix(b" =")?, &b""[..]),
        };
        let written = std::str::from_utf8(name).ok()?;
        let name = object_id(written);
        // An unknown name also begins a variable, which is then skipped.
        if name.is_none() && !looks_like_name(written) {
            return None;
        }
        Some(Self { line, name, value: value.to_vec(), quote: quoted::State::of(value) })
    }

    fn is_quoted_open(&self) -> bool {
        self.quote == quoted::State::Open
    }

    fn append_line(&mut self, line: &[u8]) {
        self.value.push(b'\n');
        self.value.extend_from_slice(line);
        self.quote = self.quote.after(line);
    }

    /// Parses the variable. Returns `None` if the line means that the agent does not have it.
    fn instance(mut self) -> Result<Option<(Oid, OwnedValue)>, SyntaxError> {
        // Blank lines between variables do not belong to a value.
        while self.value.ends_with(b"\n") {
            self.value.pop();
        }
        let nothing = [&b"No Such "[..], b"No more variables left"];
        if nothing.iter().any(|start| self.value.starts_with(start)) {
            return Ok(None);
        }
        if self.is_quoted_open() {
            return Err(SyntaxError::Quote);
        }
        let name = self.name.ok_or(SyntaxError::Name)?;
        let object = names::resolve(&name).map(|found| found.object);
        let value = value::read(object, &self.value)?;
        Ok(Some((name, value)))
    }
}

/// Parses `.1.3.6.1`, `iso.3.6.1`, or a defined name.
fn object_id(text: &str) -> Option<Oid> {
    if let Ok(oid) = text.parse() {
        return Some(oid);
    }
    let without_dot = text.strip_prefix('.').unwrap_or(text);
    for (root, arc) in [("ccitt", 0), ("iso", 1), ("joint-iso-ccitt", 2)] {
        let below = without_dot.strip_prefix(root).and_then(|rest| rest.strip_prefix('.'));
        if let Some(oid) = below.and_then(|below| format!("{arc}.{below}").parse().ok()) {
            return Some(oid);
        }
    }
    names::parse(text).ok().and_then(|oid| Oid::new(&oid).ok())
}

/// Returns true if a text looks like the name of a variable, although it is not a known name.
fn looks_like_name(text: &str) -> bool {
    let head = text.split('"').next().unwrap_or_default();
    let in_one_piece = !head.is_empty() && !head.contains(char::is_whitespace);
    in_one_piece && (head.contains("::") || head.starts_with('.') || head.starts_with("iso."))
}

const SEPARATOR: &[u8] = b" = ";
/// The last line of a walk with SNMPv1.
const END: &[u8] = b"End of MIB";

#[cfg(test)]
mod tests;
