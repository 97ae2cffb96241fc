//! Patterns of names as ssh_config and known_hosts have them: `*`, `?`, lists with commas, and `!` for what is not meant.

/// Patterns of which one must match and none that is negated may.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PatternList(Vec<Pattern>);

impl PatternList {
    /// From single patterns, each with a `!` before it or not.
    pub fn new<'p>(patterns: impl IntoIterator<Item = &'p str>) -> Self {
        Self(patterns.into_iter().map(Pattern::new).collect())
    }

    /// From a list with commas. Empty entries match nothing.
    pub fn from_commas(list: &str) -> Self {
        Self::new(list.split(',').filter(|pattern| !pattern.is_empty()))
    }

    /// Whether `name` is meant. Letter case counts.
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

    /// Whether `name` itself stands there, and no pattern that is only meant for it too.
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
        let bare = text.strip_prefix('!');
        Self { negated: bare.is_some(), text: bare.unwrap_or(text).to_owned() }
    }
}

/// Whether `name` is what `pattern` describes: `*` is any octets, `?` is one.
///
/// Goes back to the latest `*` only, so it takes at most the product of the lengths.
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
                let Some((after_star, matched)) = retry else { return false };
                retry = Some((after_star, matched + 1));
                (pattern_index, name_index) = (after_star, matched + 1);
            }
        }
    }
    pattern.iter().skip(pattern_index).all(|octet| *octet == b'*')
}

#[cfg(test)]
mod tests;
