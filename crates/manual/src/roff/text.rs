//! Text that roff shows as it is.

/// Text in which nothing means anything to roff.
pub(super) fn verbatim(text: &str) -> String {
    let mut out = String::new();
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            out.push('\n');
        }
        if line.starts_with(['.', '\'']) {
            out.push_str("\\&");
        }
        line.chars().for_each(|letter| escape(&mut out, letter));
    }
    out
}

/// Prose: each sentence in a line of its own, and what stands between backticks in bold.
pub(super) fn prose(text: &str) -> String {
    let mut out = String::new();
    for (index, piece) in sentences(text).split('`').enumerate() {
        if index % 2 == 1 {
            out += &bold(piece);
        } else if index == 0 {
            out += &verbatim(piece);
        } else {
            // The line has begun with what is in bold.
            out += verbatim(piece).trim_start_matches("\\&");
        }
    }
    out
}

/// In bold type.
pub(super) fn bold(text: &str) -> String {
    in_font('B', text)
}

/// In italic type.
pub(super) fn italic(text: &str) -> String {
    in_font('I', text)
}

/// An argument of a macro, in quotes.
pub(super) fn argument(text: &str) -> String {
    format!("\"{}\"", verbatim(text).trim_start_matches("\\&"))
}

fn in_font(font: char, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("\\f{font}{}\\fR", verbatim(text)) }
}

fn escape(out: &mut String, letter: char) {
    match letter {
        '\\' => out.push_str("\\e"),
        '-' => out.push_str("\\-"),
        '"' => out.push_str("\\(dq"),
        '\'' => out.push_str("\\(aq"),
        '`' => out.push_str("\\(ga"),
        '^' => out.push_str("\\(ha"),
        '~' => out.push_str("\\(ti"),
        letter if letter.is_ascii() => out.push(letter),
        letter => out.push_str(&format!("\\[u{:04X}]", u32::from(letter))),
    }
}

/// A new line after each full stop that a capital follows.
fn sentences(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((sentence, behind)) = rest.split_once(". ") {
        let ends = behind.starts_with(|letter: char| letter.is_uppercase() || letter == '`');
        out += sentence;
        out += if ends { ".\n" } else { ". " };
        rest = behind;
    }
    out + rest
}
