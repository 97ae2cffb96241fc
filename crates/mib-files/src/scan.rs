//! Finds the modules that a file defines, without parsing it.

/// Returns the names before each `DEFINITIONS` outside comments, strings and braces.
pub(crate) fn module_names(text: &[u8]) -> Vec<String> {
    let mut names = Vec::new();
    let mut words = Words { rest: text, depth: 0 };
    let mut before: Option<&[u8]> = None;
    while let Some(word) = words.next() {
        match before {
            Some(name) if word == b"DEFINITIONS" => names.push(String::from_utf8_lossy(name).into_owned()),
            _ if words.depth > 0 => continue,
            _ => {}
        }
        before = Some(word).filter(|word| word.first().is_some_and(u8::is_ascii_uppercase));
    }
    names
}

struct Words<'a> {
    rest: &'a [u8],
    /// The number of open braces. It is needed because `NAME { iso org(3) } DEFINITIONS` names a
    /// module too.
    depth: usize,
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        loop {
            let first = *self.rest.first()?;
            if self.rest.starts_with(b"--") {
                let line = self.rest.iter().position(|octet| *octet == b'\n').unwrap_or(self.rest.len());
                self.skip(line);
            } else if first == b'"' {
                let inner = self.rest.get(1..)?;
                let end = inner.iter().position(|octet| *octet == b'"')?;
                self.skip(end + 2);
            } else if is_word_octet(first) {
                let length =
                    self.rest.iter().position(|octet| !is_word_octet(*octet)).unwrap_or(self.rest.len());
                let word = self.rest.get(..length)?;
                self.skip(length);
                return Some(word);
            } else {
                match first {
                    b'{' => self.depth += 1,
                    b'}' => self.depth = self.depth.saturating_sub(1),
                    _ => {}
                }
                self.skip(1);
            }
        }
    }
}

impl Words<'_> {
    fn skip(&mut self, count: usize) {
        self.rest = self.rest.get(count..).unwrap_or_default();
    }
}

fn is_word_octet(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || octet == b'-' || octet == b'_'
}

#[cfg(test)]
mod tests;
