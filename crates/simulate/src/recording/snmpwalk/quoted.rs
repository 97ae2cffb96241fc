//! Quoted strings, in which a backslash escapes quotation marks and backslashes.

/// The state of quotation marks at the end of the text read so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// The value is not quoted.
    None,
    /// The opening quotation mark has been read, but not the closing one.
    Open,
    /// The closing quotation mark has been read.
    Closed,
}

impl State {
    /// Returns the state at the end of a value's first line.
    pub(super) fn of(value: &[u8]) -> Self {
        let content = value.strip_prefix(b"STRING: ").unwrap_or(value);
        match content.strip_prefix(b"\"") {
            Some(content) => Self::Open.after(content),
            None => Self::None,
        }
    }

    /// Returns the state at the end of the next line.
    pub(super) fn after(self, line: &[u8]) -> Self {
        match self {
            Self::Open if closing_quote(line).is_some() => Self::Closed,
            state => state,
        }
    }
}

/// Returns the octets between the quotation marks; `None` if the text does not end with the closing
/// quotation mark.
pub(super) fn content(text: &[u8]) -> Option<Vec<u8>> {
    let text = text.strip_prefix(b"\"")?;
    let end = closing_quote(text)?;
    let rest = text.get(end + 1..)?;
    if !rest.trim_ascii().is_empty() {
        return None;
    }
    let mut octets = Vec::with_capacity(end);
    let mut escaped = false;
    for &octet in text.get(..end)? {
        escaped = octet == b'\\' && !escaped;
        if !escaped {
            octets.push(octet);
        }
    }
    Some(octets)
}

fn closing_quote(text: &[u8]) -> Option<usize> {
    let mut escaped = false;
    text.iter().position(|&octet| {
        let closes = octet == b'"' && !escaped;
        escaped = octet == b'\\' && !escaped;
        closes
    })
}
