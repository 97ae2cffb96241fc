//! Unpredictable octets, from the kernel.

use crate::Problem;

/// As many as the array has.
pub(crate) fn octets<const N: usize>() -> Result<[u8; N], Problem> {
    let mut octets = [0; N];
    getrandom::fill(&mut octets).map_err(|error| Problem::Failed(format!("no randomness: {error}")))?;
    Ok(octets)
}
