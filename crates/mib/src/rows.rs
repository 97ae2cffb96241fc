//! Finds rows in a table that is sorted by index arcs.

/// Returns the position of the first of `count` sorted rows whose index follows `after`.
///
/// `index_of` returns a row's index arcs. `hint` is the position that the last call for the same
/// table returned. With it a walk finds each row in constant time; other lookups use bisection. Any
/// value of `hint` gives a correct result.
pub fn successor<'a>(
    count: usize,
    index_of: impl Fn(usize) -> &'a [u32],
    after: &[u32],
    hint: &mut usize,
) -> Option<usize> {
    let follows = |row: usize| index_of(row) > after;
    let row = match *hint {
        row if row < count && follows(row) && (row == 0 || !follows(row - 1)) => row,
        row if row + 1 < count && follows(row + 1) && !follows(row) => row + 1,
        _ => bisect(count, |row| !follows(row)),
    };
    *hint = row;
    (row < count).then_some(row)
}

/// Returns the position of the row with exactly this index. `hint` works as in [`successor`].
pub fn exact<'a>(
    count: usize,
    index_of: impl Fn(usize) -> &'a [u32],
    index: &[u32],
    hint: &mut usize,
) -> Option<usize> {
    if *hint >= count || index_of(*hint) != index {
        *hint = bisect(count, |row| index_of(row) < index);
    }
    (*hint < count && index_of(*hint) == index).then_some(*hint)
}

/// Returns the first position for which `before` is false. `before` must be true for all earlier
/// positions and false for all later ones.
fn bisect(count: usize, before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        if before(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests;
