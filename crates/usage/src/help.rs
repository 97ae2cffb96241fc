//! Lines of a `--help`, none longer than a terminal is wide.

/// Two columns, indented by two: what is written, and what it does.
pub fn format_table<'t>(rows: impl IntoIterator<Item = (String, &'t str)>) -> String {
    let rows: Vec<_> = rows.into_iter().collect();
    let lengths = rows.iter().map(|(written, _)| written.chars().count());
    let width = lengths.filter(|length| *length <= MAX_COLUMN_WIDTH).max().unwrap_or_default();
    rows.iter().map(|(written, does)| format_row(INDENT, written, width, does)).collect()
}

/// One row of two columns, behind `indent` blanks. The first is `width` wide; where it does not hold what is written, the
/// second begins on a line of its own.
pub fn format_row(indent: usize, written: &str, width: usize, does: &str) -> String {
    let second = indent + width + MIN_GAP;
    let mut text = format!("{:indent$}{written}", "");
    let mut column = indent + written.chars().count();
    let mut separator = second.saturating_sub(column);
    if separator < MIN_GAP {
        text.push('\n');
        (column, separator) = (0, second);
    }
    for word in does.split_whitespace() {
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

/// Blanks before a row.
const INDENT: usize = 2;
/// Blanks between the columns, at least.
const MIN_GAP: usize = 2;
/// What is longer does not make the first column wider.
const MAX_COLUMN_WIDTH: usize = 30;
/// Characters in a line, at most, but for a word that is longer.
const MAX_LINE_WIDTH: usize = 79;

#[cfg(test)]
mod tests;
