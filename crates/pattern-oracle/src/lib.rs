//! Regular expressions of XML Schema by regexml, an implementation that is independent of ours.

/// Encloses pattern and value, because regexml would otherwise accept parts of a value.
const START: char = '\u{e000}';
const END: char = '\u{e001}';

/// A compiled pattern.
pub struct Oracle(regexml::Regex);

impl Oracle {
    /// Compiles a pattern, or returns `None` if regexml rejects it.
    #[must_use]
    pub fn new(pattern: &str) -> Option<Self> {
        regexml::Regex::xsd(&format!("{START}({pattern}){END}"), "").ok().map(Self)
    }

    /// Returns true if the pattern matches the whole value.
    #[must_use]
    pub fn matches(&self, value: &str) -> bool {
        self.0.is_match(&format!("{START}{value}{END}"))
    }
}
