//! The statements of a module's text, with their lines (RFC 7950 section 6).
//!
//! libyang does not keep the lines of statements. This reader finds them again: for messages about
//! compiled nodes, and for constraints. It accepts every valid module; of an invalid one, whose
//! errors libyang reports, it returns the statements before the fault.

/// The statements of a module or submodule in the order of its text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Statements {
    items: Vec<Statement>,
}

/// One statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Statement {
    /// The keyword, with a prefix if it is an extension's.
    pub(crate) keyword: String,
    /// The argument, in which parts are joined and escapes replaced; its white space is that of the
    /// text. Empty if there is none.
    pub(crate) argument: String,
    /// The line of the keyword, counted from 1.
    pub(crate) line: u32,
    parent: Option<usize>,
    /// The number of the first statement that is not below this one.
    end: usize,
}

impl Statements {
    /// Reads a text up to its end, or up to the first fault.
    pub(crate) fn parse(text: &str) -> Self {
        let mut tokens = Tokens { rest: text, line: 1 };
        let mut items: Vec<Statement> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        while let Some(token) = tokens.next_token() {
            let (keyword, line) = match token {
                Token::Word(keyword, line) => (keyword, line),
                Token::Close => {
                    let (Some(at), end) = (open.pop(), items.len()) else { break };
                    if let Some(item) = items.get_mut(at) {
                        item.end = end;
                    }
                    continue;
                }
                Token::Open | Token::End | Token::Plus | Token::Quoted(_) => break,
            };
            let Some((argument, is_open)) = tokens.argument() else { break };
            let at = items.len();
            items.push(Statement {
                keyword: keyword.to_owned(),
                argument,
                line,
                parent: open.last().copied(),
                end: at + 1,
            });
            if is_open {
                open.push(at);
            }
        }
        let end = items.len();
        for at in open {
            if let Some(item) = items.get_mut(at) {
                item.end = end;
            }
        }
        Self { items }
    }

    /// Returns the `module` or `submodule` statement.
    pub(crate) fn root(&self) -> Option<&Statement> {
        self.items.first()
    }

    /// Returns all statements with their numbers.
    pub(crate) fn all(&self) -> impl Iterator<Item = (usize, &Statement)> {
        self.items.iter().enumerate()
    }

    /// Returns the statement with a number.
    pub(crate) fn get(&self, at: usize) -> Option<&Statement> {
        self.items.get(at)
    }

    /// Returns the statement that contains another one, with its number.
    pub(crate) fn parent(&self, statement: &Statement) -> Option<(usize, &Statement)> {
        let at = statement.parent?;
        Some((at, self.items.get(at)?))
    }

    /// Returns the statements directly below the one with a number.
    pub(crate) fn children(&self, at: usize) -> impl Iterator<Item = (usize, &Statement)> {
        let end = self.items.get(at).map_or(0, |item| item.end);
        let mut next = at + 1;
        std::iter::from_fn(move || {
            let at = next;
            let item = self.items.get(at).filter(|_| at < end)?;
            next = item.end;
            Some((at, item))
        })
    }

    /// Returns the argument of the first substatement of the `module` or `submodule` statement with
    /// a keyword.
    pub(crate) fn header(&self, keyword: &str) -> Option<&str> {
        self.children(0).find(|(_, item)| item.keyword == keyword).map(|(_, item)| &*item.argument)
    }

    /// Returns the newest revision.
    pub(crate) fn revision(&self) -> Option<&str> {
        let revisions = self.children(0).filter(|(_, item)| item.keyword == "revision");
        revisions.map(|(_, item)| &*item.argument).max()
    }

    /// Returns the name of the module that has a prefix in this text; `None` as well for the prefix
    /// of the module itself.
    pub(crate) fn imported_module(&self, prefix: &str) -> Option<&str> {
        let imports = self.children(0).filter(|(_, item)| item.keyword == "import");
        let has_prefix = |at: usize| {
            self.children(at).any(|(_, item)| item.keyword == "prefix" && item.argument == prefix)
        };
        imports.filter(|(at, _)| has_prefix(*at)).map(|(_, item)| &*item.argument).next()
    }
}

enum Token<'a> {
    /// Characters without quotes, and their line.
    Word(&'a str, u32),
    Quoted(String),
    Plus,
    Open,
    Close,
    End,
}

struct Tokens<'a> {
    rest: &'a str,
    line: u32,
}

impl<'a> Tokens<'a> {
    /// Returns the argument of a statement, and true if substatements follow; `None` at a fault.
    fn argument(&mut self) -> Option<(String, bool)> {
        let mut argument = match self.next_token()? {
            Token::End => return Some((String::new(), false)),
            Token::Open => return Some((String::new(), true)),
            Token::Word(word, _) => word.to_owned(),
            Token::Quoted(text) => text,
            Token::Plus | Token::Close => return None,
        };
        loop {
            match self.next_token()? {
                Token::End => return Some((argument, false)),
                Token::Open => return Some((argument, true)),
                Token::Plus => match self.next_token()? {
                    Token::Quoted(text) => argument += &text,
                    _ => return None,
                },
                _ => return None,
            }
        }
    }

    fn next_token(&mut self) -> Option<Token<'a>> {
        self.skip_separators()?;
        let first = self.rest.chars().next()?;
        let single = match first {
            '{' => Some(Token::Open),
            '}' => Some(Token::Close),
            ';' => Some(Token::End),
            _ => None,
        };
        if let Some(token) = single {
            self.advance(1);
            return Some(token);
        }
        match first {
            '"' => self.double_quoted().map(Token::Quoted),
            '\'' => {
                self.advance(1);
                let length = self.rest.find('\'')?;
                let text = self.advance(length).to_owned();
                self.advance(1);
                Some(Token::Quoted(text))
            }
            _ => {
                let line = self.line;
                let word = self.advance(word_length(self.rest));
                Some(if word == "+" { Token::Plus } else { Token::Word(word, line) })
            }
        }
    }

    fn double_quoted(&mut self) -> Option<String> {
        self.advance(1);
        let mut text = String::new();
        loop {
            let length = self.rest.find(['"', '\\'])?;
            text += self.advance(length);
            if self.advance(1) == "\"" {
                return Some(text);
            }
            let escaped = self.rest.chars().next()?;
            self.advance(escaped.len_utf8());
            match escaped {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                '"' | '\\' => text.push(escaped),
                // YANG 1.0 allows a backslash before any character (RFC 6020 section 6.1.3).
                _ => text.extend(['\\', escaped]),
            }
        }
    }

    /// Skips white space and comments; `None` if a comment does not end.
    fn skip_separators(&mut self) -> Option<()> {
        loop {
            let space =
                self.rest.len() - self.rest.trim_start_matches([' ', '\t', '\r', '\n', '\u{feff}']).len();
            self.advance(space);
            if self.rest.starts_with("//") {
                let length = self.rest.find('\n').unwrap_or(self.rest.len());
                self.advance(length);
            } else if self.rest.starts_with("/*") {
                let length = self.rest.get(2..)?.find("*/")?;
                self.advance(length + 4);
            } else {
                return Some(());
            }
        }
    }

    /// Moves over octets, which end at a boundary of a character, and returns them.
    fn advance(&mut self, length: usize) -> &'a str {
        let (text, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        let lines = text.bytes().filter(|octet| *octet == b'\n').count();
        self.line = self.line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
        self.rest = rest;
        text
    }
}

/// Returns the length of the characters without quotes at the start of a text.
fn word_length(text: &str) -> usize {
    let octets = text.as_bytes();
    let is_end = |(at, octet): (usize, &u8)| match octet {
        b' ' | b'\t' | b'\r' | b'\n' | b';' | b'{' | b'}' | b'"' | b'\'' => true,
        b'/' => matches!(octets.get(at + 1), Some(b'/' | b'*')),
        _ => false,
    };
    octets.iter().enumerate().position(is_end).unwrap_or(octets.len())
}

#[cfg(test)]
mod tests;
