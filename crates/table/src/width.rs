//! How wide what is written may be.

use std::{env, io::IsTerminal, os::fd::AsFd};

use rustix::termios::tcgetwinsize;

/// Characters of a line on standard output or error: what `COLUMNS` says, else what its terminal says of itself. `None` where
/// neither says anything: then lines are as long as they are.
pub fn width_of(output: impl AsFd + IsTerminal) -> Option<usize> {
    told(env::var("COLUMNS").ok().as_deref()).or_else(|| of_terminal(output))
}

fn told(columns: Option<&str>) -> Option<usize> {
    columns?.trim().parse().ok().filter(|columns| *columns > 0)
}

fn of_terminal(output: impl AsFd + IsTerminal) -> Option<usize> {
    if !output.is_terminal() {
        return None;
    }
    let columns = tcgetwinsize(output).map_or(0, |size| usize::from(size.ws_col));
    // Some terminals do not know how many they have.
    Some(if columns == 0 { USUAL } else { columns })
}

const USUAL: usize = 80;

#[cfg(test)]
mod tests {
    use super::told;

    #[test]
    fn only_a_number_says_how_wide_a_line_may_be() {
        assert_eq!(told(Some("72")), Some(72));
        for nothing in [None, Some(""), Some("0"), Some("-1"), Some("wide")] {
            assert_eq!(told(nothing), None, "{nothing:?}");
        }
    }
}
