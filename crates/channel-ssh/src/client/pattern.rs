//! Name patterns of ssh_config and known_hosts: `*`, `?`, comma-separated lists, and `!` for
//! negation.

/// A list of patterns. A name matches if at least one pattern matches and no negated pattern does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PatternList(Vec<Pattern>);

impl PatternList {
    /// Creates a list from single patterns, each optionally with a leading `!`.
    pub fn new<'p>(patterns: impl IntoIterator<Item = &'p str>) -> Self {
        Self(patterns.into_iter().map(Pattern::new).collect())
    }

    /// Parses a comma-separated list. Empty entries never match.
    pub fn from_commas(list: &str) -> Self {
        Self::new(list.split(',').filter(|pattern| !pattern.is_empty()))
    }

    /// Returns true if `name` matches. Case-sensitive.
    pub fn matches(&self, name: &str) -> bool {
        let mut matched_any = false;
        for pattern in &self.0 {
            if matches_wildcard(&pattern.text, name) {
                if pattern.negated {
                    return false;
                }
                matched_any = true;
            }
        }
        matched_any
    }

    /// Returns true if the list contains `name` itself, as opposed to a wildcard pattern that
    /// matches it.
    pub(crate) fn contains_literal(&self, name: &str) -> bool {
        self.0
            .iter()
            .any(|pattern| !pattern.negated && pattern.text == name && !pattern.text.contains(['*', '?']))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Pattern {
    negated: bool,
    text: String,
}

impl Pattern {
    fn new(text: &str) -> Self {
        let without_sign = text.strip_prefix('!');
        Self { negated: without_sign.is_some(), text: without_sign.unwrap_or(text).to_owned() }
    }
}

/// Returns true if `name` matches `pattern`: `*` matches any octets, `?` matches one.
///
/// Backtracks to the last `*` only, so the number of steps is at most the product of both lengths.
pub(crate) fn matches_wildcard(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.as_bytes(), name.as_bytes());
    let (mut pattern_index, mut name_index) = (0, 0);
    let mut retry = None;
    while let Some(octet) = name.get(name_index) {
        match pattern.get(pattern_index) {
            Some(b'*') => {
                pattern_index += 1;
                retry = Some((pattern_index, name_index));
            }
            Some(b'?') => (pattern_index, name_index) = (pattern_index + 1, name_index + 1),
            Some(wanted) if wanted == octet => {
                (pattern_index, name_index) = (pattern_index + 1, name_index + 1)
            }
            _ => {
                let Some((after_star, star_end)) = retry else { return false };
                retry = Some((after_star, star_end + 1));
                (pattern_index, name_index) = (after_star, star_end + 1);
            }
        }
    }
    pattern.iter().skip(pattern_index).all(|octet| *octet == b'*')
}

#[cfg(test)]
mod tests;
