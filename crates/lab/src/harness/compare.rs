//! `lab compare`: prints which values have changed between two runs.

use std::path::Path;

use portreeve_lab_report::compare::Comparison;
use portreeve_lab_report::markdown;
use portreeve_lab_report::unit::Unit;

use super::report::read;
use super::run_directory::NOISE;
use crate::error::Result;

/// Prints the comparison of two run directories.
pub(crate) fn compare(before: &Path, after: &Path) -> Result<()> {
    let ((before_info, before_samples), (after_info, after_samples)) = (read(before)?, read(after)?);
    let comparison = Comparison::new(&before_samples, &after_samples);
    let names = [before, after].map(|path| path.display().to_string());
    let [first, second] = &names;
    let document = comparison.report([first, second], [&before_info, &after_info], unit);
    print!("{}", markdown::render(&document));
    Ok(())
}

/// Returns the unit of a value by its name, as experiments name their values.
fn unit(value: &str) -> Unit {
    let last = value.rsplit('_').next().unwrap_or(value);
    match last {
        _ if value == NOISE => Unit::Seconds,
        "time" | "open" | "first" | "rest" | "close" | "cpu" => Unit::Seconds,
        "octets" => Unit::Octets,
        "size" | "rss" | "pss" | "private" => Unit::Bytes,
        "rate" => Unit::PerSecond,
        "ratio" => Unit::Ratio,
        "share" => Unit::Share,
        _ => Unit::Count,
    }
}

#[cfg(test)]
mod tests {
    use portreeve_lab_report::unit::Unit;

    use super::unit;

    #[test]
    fn unit_follows_from_the_last_word_of_the_name() {
        assert_eq!(unit("time"), Unit::Seconds);
        assert_eq!(unit("agent_cpu"), Unit::Seconds);
        assert_eq!(unit("idle_loop"), Unit::Seconds);
        assert_eq!(unit("octets"), Unit::Octets);
        assert_eq!(unit("pss"), Unit::Bytes);
        assert_eq!(unit("frames"), Unit::Count);
        assert_eq!(unit("timestamps"), Unit::Count);
    }
}
