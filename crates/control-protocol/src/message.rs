//! Encoding of requests and responses.
//!
//! A message is a sequence of octet strings, each ended by NUL: a word, then one `name=value` for
//! each field. The end of the stream ends the message. Receivers ignore fields that they do not
//! know, so that later versions can add fields.

/// A word and its fields. A field name may occur more than once.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) word: String,
    fields: Vec<(String, Vec<u8>)>,
}

impl Message {
    pub(crate) fn new(word: &str) -> Self {
        Self { word: word.to_owned(), fields: Vec::new() }
    }

    /// Adds a field. NUL octets in the value are removed.
    pub(crate) fn with(mut self, name: &str, value: &[u8]) -> Self {
        let value = value.iter().copied().filter(|octet| *octet != 0).collect();
        self.fields.push((name.to_owned(), value));
        self
    }

    /// Iterates over the values of a field, in order.
    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = &[u8]> {
        self.fields.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_slice())
    }

    /// Returns the first value of a field.
    pub(crate) fn get(&self, name: &str) -> Option<&[u8]> {
        self.all(name).next()
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut octets = self.word.clone().into_bytes();
        octets.push(0);
        for (name, value) in &self.fields {
            octets.extend_from_slice(name.as_bytes());
            octets.push(b'=');
            octets.extend_from_slice(value);
            octets.push(0);
        }
        octets
    }

    /// Decodes a complete message; `None` if it is malformed.
    pub(crate) fn decode(octets: &[u8]) -> Option<Self> {
        let mut parts = octets.strip_suffix(&[0])?.split(|octet| *octet == 0);
        let word = String::from_utf8(parts.next()?.to_vec()).ok()?;
        let fields = parts.map(|part| {
            let equals = part.iter().position(|octet| *octet == b'=')?;
            let (name, value) = part.split_at_checked(equals)?;
            Some((String::from_utf8(name.to_vec()).ok()?, value.get(1..)?.to_vec()))
        });
        Some(Self { word, fields: fields.collect::<Option<_>>()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_is_unchanged_after_encoding_and_decoding() {
        let message = Message::new("reload")
            .with("file", b"/etc/\xffa b=c\n.toml")
            .with("restart", b"")
            .with("restart", b"[[listen]]");
        let decoded = Message::decode(&message.encode()).unwrap();
        assert_eq!(decoded, message);
        assert_eq!(decoded.get("file"), Some(&b"/etc/\xffa b=c\n.toml"[..]));
        assert_eq!(decoded.all("restart").collect::<Vec<_>>(), [&b""[..], b"[[listen]]"]);
        assert_eq!(decoded.get("status"), None);
    }

    #[test]
    fn value_cannot_add_a_field() {
        let message = Message::new("refused").with("reason", b"a\0restart=b");
        let decoded = Message::decode(&message.encode()).unwrap();
        assert_eq!(decoded.get("reason"), Some(&b"arestart=b"[..]));
        assert_eq!(decoded.get("restart"), None);
    }

    #[test]
    fn malformed_message_is_rejected() {
        for octets in
            [&b""[..], b"reload", b"reload\0file\0", b"reload\0file=/a", b"\xff\0", b"reload\0\xff=\0"]
        {
            assert_eq!(Message::decode(octets), None, "{octets:?}");
        }
    }
}
