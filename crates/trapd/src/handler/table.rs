//! Selects the handlers of a notification by its snmpTrapOID.
//!
//! The selection is Net-SNMP's, with one exception: a handler never gets a notification that its
//! own pattern does not match. Net-SNMP passes a notification that matches one of several patterns
//! with the same identifier to the handlers of all of them.

use std::fmt;

use portreeve_smi::Oid;

/// The notifications that a directive applies to, such as the first value of `traphandle`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OidPattern {
    /// `default`: all notifications that match no other pattern.
    Default,
    /// `OID`: one notification.
    Exact(Oid),
    /// `OID*`: a notification and all below it.
    Subtree(Oid),
    /// `OID.*`: all notifications below an identifier.
    Below(Oid),
}

impl OidPattern {
    /// Parses a pattern. `resolve` returns the identifier of a name or of a number with dots.
    ///
    /// # Errors
    /// Returns an error if `resolve` fails, or if a wildcard is not at the end.
    pub fn parse<E: fmt::Display>(
        text: &str,
        resolve: impl FnOnce(&str) -> Result<Oid, E>,
    ) -> Result<Self, OidPatternError> {
        if text == "default" {
            return Ok(Self::Default);
        }
        let (name, pattern): (_, fn(Oid) -> Self) = match text.strip_suffix('*') {
            None => (text, Self::Exact),
            Some(root) => match root.strip_suffix('.') {
                None => (root, Self::Subtree),
                Some(parent) => (parent, Self::Below),
            },
        };
        if name.contains('*') {
            return Err(OidPatternError::MisplacedWildcard(text.to_owned()));
        }
        resolve(name).map(pattern).map_err(|error| OidPatternError::Oid(text.to_owned(), error.to_string()))
    }

    /// Returns the number of arcs that a notification has in common with this pattern, or `None` if
    /// it does not match. `default` never matches here.
    fn matched_len(&self, notification: &[u32]) -> Option<usize> {
        let (root, matches) = match self {
            Self::Default => return None,
            Self::Exact(oid) => (oid, notification == oid.arcs()),
            Self::Subtree(oid) => (oid, notification.starts_with(oid)),
            Self::Below(oid) => (oid, notification.starts_with(oid) && notification.len() > oid.len()),
        };
        matches.then_some(root.len())
    }
}

/// The reason why a text is not a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OidPatternError {
    /// The text contains an asterisk before its end.
    MisplacedWildcard(String),
    /// The text is not an object identifier, for this reason.
    Oid(String, String),
}

impl fmt::Display for OidPatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MisplacedWildcard(text) => {
                write!(f, "invalid notification {text:?}: `*` is permitted only at the end")
            }
            Self::Oid(text, error) => write!(
                f,
                "invalid notification {text:?}: {error}: expected `default` or an object identifier, for \
                 example \".1.3.6.1.4.1.8072.*\""
            ),
        }
    }
}

impl std::error::Error for OidPatternError {}

/// Handlers and the patterns of their notifications.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandlerTable<T> {
    handlers: Vec<(OidPattern, T)>,
}

impl<T> HandlerTable<T> {
    /// Adds a handler.
    pub fn add(&mut self, pattern: OidPattern, handler: T) {
        self.handlers.push((pattern, handler));
    }

    /// Returns all handlers.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.handlers.iter().map(|(_, handler)| handler)
    }

    /// Returns the handlers of a notification, in the order in which they run: those of the longest
    /// identifier that matches, in the order in which they were added. If none matches, those of
    /// `default`, the last one first.
    pub fn select(&self, notification: &[u32]) -> Vec<&T> {
        let matched = |(pattern, _): &&(OidPattern, T)| pattern.matched_len(notification);
        let Some(longest) = self.handlers.iter().filter_map(|entry| matched(&entry)).max() else {
            let defaults = self.handlers.iter().rev().filter(|(pattern, _)| *pattern == OidPattern::Default);
            return defaults.map(|(_, handler)| handler).collect();
        };
        let selected = self.handlers.iter().filter(|entry| matched(entry) == Some(longest));
        selected.map(|(_, handler)| handler).collect()
    }
}

impl<T> Default for HandlerTable<T> {
    fn default() -> Self {
        Self { handlers: Vec::new() }
    }
}

#[cfg(test)]
mod tests;
