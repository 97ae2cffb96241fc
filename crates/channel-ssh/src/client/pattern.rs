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
        let mut found = false;
        for pattern in &self.0 {
            if wildcard(&pattern.text, name) {
                if pattern.negated {
                    return false;
                }
                found = true;
            }
        }
        found
    }

    /// Whether `name` itself stands there, and no pattern that is only meant for it too.
    pub(crate) fn names(&self, name: &str) -> bool {
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
pub(crate) fn wildcard(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.as_bytes(), name.as_bytes());
    let (mut at, mut of) = (0, 0);
    let mut retry = None;
    while let Some(octet) = name.get(of) {
        match pattern.get(at) {
            Some(b'*') => {
                at += 1;
                retry = Some((at, of));
            }
            Some(b'?') => (at, of) = (at + 1, of + 1),
            Some(wanted) if wanted == octet => (at, of) = (at + 1, of + 1),
            _ => {
                let Some((after_star, swallowed)) = retry else { return false };
                retry = Some((after_star, swallowed + 1));
                (at, of) = (after_star, swallowed + 1);
            }
        }
    }
    pattern.iter().skip(at).all(|octet| *octet == b'*')
}

#[cfg(test)]
mod tests;
