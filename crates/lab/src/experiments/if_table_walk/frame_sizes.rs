//! The range of most frames' sizes, as in Table 3 of paper 000.

use std::collections::BTreeMap;

/// Returns the lower end of the range of 20 octets that contains most frames, and their number. As
/// in the paper, ranges begin at multiples of ten. If several contain as many, the lowest counts.
pub(super) fn dominating_range(sizes: impl Iterator<Item = usize>) -> (usize, usize) {
    let mut tens: BTreeMap<usize, usize> = BTreeMap::new();
    for size in sizes {
        *tens.entry(size / STEP).or_default() += 1;
    }
    let in_range =
        |start: usize| tens.range(start..start + WIDTH / STEP).map(|(_, count)| count).sum::<usize>();
    let starts = tens.keys().flat_map(|start| [start.saturating_sub(1), *start]);
    let best = starts.map(|start| (in_range(start), std::cmp::Reverse(start))).max();
    best.map_or((0, 0), |(count, std::cmp::Reverse(start))| (start * STEP, count))
}

const STEP: usize = 10;
/// The width of a range.
pub(super) const WIDTH: usize = 20;

#[cfg(test)]
mod tests {
    use super::dominating_range;

    #[test]
    fn range_with_most_frames_is_found() {
        assert_eq!(dominating_range([60, 171, 172, 188, 189, 190, 1500].into_iter()), (170, 4));
        assert_eq!(dominating_range([79, 80, 99, 100].into_iter()), (70, 2));
        assert_eq!(dominating_range([95, 104, 119].into_iter()), (90, 2));
        assert_eq!(dominating_range([5].into_iter()), (0, 1));
        assert_eq!(dominating_range(std::iter::empty()), (0, 0));
    }
}
