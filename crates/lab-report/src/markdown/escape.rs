//! Escapes text for Markdown, in paragraphs and in cells of tables.

use crate::escape::visible;

/// Returns the text with each character escaped that Markdown or HTML could interpret. Line feeds
/// become spaces, so that no text ends its paragraph or its row.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 8);
    for (index, character) in text.chars().enumerate() {
        match visible(character) {
            '\n' | '\t' => escaped.push(' '),
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            special @ ('\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '$') => {
                escaped.push('\\');
                escaped.push(special);
            }
            // These begin headings, lists and lines, but only at the beginning of a line.
            special @ ('#' | '-' | '+' | '=') if index == 0 => {
                escaped.push('\\');
                escaped.push(special);
            }
            special @ ('.' | ')') if is_list_mark(text, index) => {
                escaped.push('\\');
                escaped.push(special);
            }
            other => escaped.push(other),
        }
    }
    escaped
}

/// Returns the text as code. Backslashes and pipes are escaped only where a table needs it.
pub(super) fn code(text: &str) -> String {
    let content: String = text
        .chars()
        .map(visible)
        .map(|character| if matches!(character, '\n' | '\t') { ' ' } else { character })
        .collect();
    // A fence is longer than each run of backticks inside.
    let (mut longest, mut run) = (0_usize, 0_usize);
    for character in content.chars() {
        run = if character == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest + 1);
    let space = if content.starts_with('`') || content.ends_with('`') { " " } else { "" };
    format!("{fence}{space}{}{space}{fence}", content.replace('|', "\\|"))
}

/// Reports whether the character at the index ends a number that would begin a list.
fn is_list_mark(text: &str, index: usize) -> bool {
    let begins_with_number =
        index > 0 && text.chars().take(index).all(|character| character.is_ascii_digit());
    begins_with_number && text.chars().nth(index + 1).is_none_or(char::is_whitespace)
}
