//! The width of output lines.

use std::{env, io::IsTerminal, os::fd::AsFd};

use rustix::termios::tcgetwinsize;

/// Returns the maximum number of characters in a line of `output`: `COLUMNS` if set, otherwise the
/// width of the terminal. Returns `None` if `output` is not a terminal; lines are then not limited.
pub fn line_width(output: impl AsFd + IsTerminal) -> Option<usize> {
    parse_columns(env::var("COLUMNS").ok().as_deref()).or_else(|| terminal_columns(output))
}

fn parse_columns(columns: Option<&str>) -> Option<usize> {
    columns?.trim().parse().ok().filter(|columns| *columns > 0)
}

fn terminal_columns(output: impl AsFd + IsTerminal) -> Option<usize> {
    if !output.is_terminal() {
        return None;
    }
    let columns = tcgetwinsize(output).map_or(0, |size| usize::from(size.ws_col));
    // Some terminals report a width of 0 columns.
    Some(if columns == 0 { DEFAULT_COLUMNS } else { columns })
}

const DEFAULT_COLUMNS: usize = 80;

#[cfg(test)]
mod tests {
    use super::parse_columns;

    #[test]
    fn only_positive_number_of_columns_is_accepted() {
        assert_eq!(parse_columns(Some("72")), Some(72));
        for invalid in [None, Some(""), Some("0"), Some("-1"), Some("wide")] {
            assert_eq!(parse_columns(invalid), None, "{invalid:?}");
        }
    }
}
