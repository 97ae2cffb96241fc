//! Escapes text for roff.

/// Escapes everything that roff would interpret.
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

/// Formats prose: each sentence on its own line, and text in backticks in bold.
pub(super) fn prose(text: &str) -> String {
    let mut out = String::new();
    for (index, piece) in sentences(text).split('`').enumerate() {
        if index % 2 == 1 {
            out += &bold(piece);
        } else if index == 0 {
            out += &verbatim(piece);
        } else {
            // This piece is after bold text and not at the start of a line, so it needs no escape
            // there.
            out += verbatim(piece).trim_start_matches("\\&");
        }
    }
    out
}

/// Formats text in bold.
pub(super) fn bold(text: &str) -> String {
    in_font('B', text)
}

/// Formats text in italics.
pub(super) fn italic(text: &str) -> String {
    in_font('I', text)
}

/// Formats a quoted macro argument.
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

/// Starts a new line after each full stop that is followed by a capital letter or a backtick.
fn sentences(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((sentence, following)) = rest.split_once(". ") {
        let ends = following.starts_with(|letter: char| letter.is_uppercase() || letter == '`');
        out += sentence;
        out += if ends { ".\n" } else { ". " };
        rest = following;
    }
    out + rest
}
