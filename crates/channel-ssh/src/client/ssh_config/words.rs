//! Splits a line of ssh_config into words.

/// A keyword in lower case, and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Words {
    pub(crate) keyword: String,
    pub(crate) arguments: Vec<String>,
}

/// Splits a line. Returns `None` for an empty line or a comment.
///
/// The keyword ends at white space or one `=`. Arguments are separated by white space. Quotes of
/// either kind enclose white space, a backslash escapes a quote, a backslash or a blank, and a word
/// that begins with `#` ends the line.
pub(crate) fn parse_words(line: &str) -> Result<Option<Words>, String> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let end =
        line.find(|character: char| character.is_whitespace() || character == '=').unwrap_or(line.len());
    let (keyword, rest) = line.split_at_checked(end).unwrap_or((line, ""));
    let rest = rest.trim_start();
    let rest = rest.strip_prefix('=').unwrap_or(rest);
    let keyword = keyword.trim_matches('"');
    if keyword.is_empty() {
        return Err("the line contains no keyword".into());
    }
    Ok(Some(Words { keyword: keyword.to_ascii_lowercase(), arguments: split_arguments(rest)? }))
}

fn split_arguments(text: &str) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = text.chars().peekable();
    while let Some(character) = chars.next() {
        match character {
            '\\' => {
                let literal = chars
                    .next_if(|next| matches!(next, '"' | '\'' | '\\') || (*next == ' ' && quote.is_none()));
                word.get_or_insert_default().push(literal.unwrap_or('\\'));
            }
            '"' | '\'' if quote == Some(character) => quote = None,
            '"' | '\'' if quote.is_none() => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            _ if quote.is_some() => word.get_or_insert_default().push(character),
            '#' if word.is_none() => break,
            blank if blank.is_whitespace() => found.extend(word.take()),
            other => word.get_or_insert_default().push(other),
        }
    }
    if quote.is_some() {
        return Err("unclosed quote".into());
    }
    found.extend(word);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_split_into_words_as_in_openssh() {
        for (line, keyword, arguments) in [
            ("Port 22", "port", &["22"][..]),
            ("  PORT=22 ", "port", &["22"]),
            ("port = 22 # the usual", "port", &["22"]),
            ("Host a  b\t!c", "host", &["a", "b", "!c"]),
            (r#"IdentityFile "my key" 'other'"#, "identityfile", &["my key", "other"]),
            (r#"IdentityFile my\ key\"s"#, "identityfile", &["my key\"s"]),
            (r"User a\b", "user", &[r"a\b"]),
            ("User a#b", "user", &["a#b"]),
            ("User \"\"", "user", &[""]),
            ("User", "user", &[]),
        ] {
            let found = parse_words(line).unwrap().unwrap();
            assert_eq!(
                (found.keyword.as_str(), found.arguments.as_slice()),
                (keyword, &arguments.iter().map(ToString::to_string).collect::<Vec<_>>()[..]),
                "{line}"
            );
        }
    }

    #[test]
    fn comments_and_blank_lines_are_ignored() {
        for line in ["", "   ", "# Host x", "\t#"] {
            assert_eq!(parse_words(line), Ok(None));
        }
    }

    #[test]
    fn unclosed_quote_is_rejected() {
        assert!(parse_words("User \"a").is_err());
        assert!(parse_words("= x").is_err());
    }
}
