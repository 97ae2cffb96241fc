//! Formats the lines of `--help` for a terminal of 80 columns.

/// Formats two columns after two spaces: the option or command, and its help text.
pub fn format_table<'t>(rows: impl IntoIterator<Item = (String, &'t str)>) -> String {
    let rows: Vec<_> = rows.into_iter().collect();
    let lengths = rows.iter().map(|(term, _)| term.chars().count());
    let width = lengths.filter(|length| *length <= MAX_COLUMN_WIDTH).max().unwrap_or_default();
    rows.iter().map(|(term, help)| format_row(INDENT, term, width, help)).collect()
}

/// Formats one row of two columns after `indent` spaces. The first column is `width` characters
/// wide. If `term` does not fit, the second column starts on a new line.
pub fn format_row(indent: usize, term: &str, width: usize, help: &str) -> String {
    let second = indent + width + MIN_GAP;
    let mut text = format!("{:indent$}{term}", "");
    let mut column = indent + term.chars().count();
    let mut separator = second.saturating_sub(column);
    if separator < MIN_GAP {
        text.push('\n');
        (column, separator) = (0, second);
    }
    for word in help.split_whitespace() {
        let length = word.chars().count();
        if column + separator + length > MAX_LINE_WIDTH && column > second {
            text.push('\n');
            (column, separator) = (0, second);
        }
        text += &format!("{:separator$}{word}", "");
        column += separator + length;
        separator = 1;
    }
    text.push('\n');
    text
}

/// Number of spaces before a row.
const INDENT: usize = 2;
/// Minimum number of spaces between the columns.
const MIN_GAP: usize = 2;
/// Maximum width of the first column. A longer term does not widen the column.
const MAX_COLUMN_WIDTH: usize = 30;
/// Maximum number of characters in a line. A longer word is not broken.
const MAX_LINE_WIDTH: usize = 79;

#[cfg(test)]
mod tests;
