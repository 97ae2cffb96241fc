//! Random octets from the kernel.

use crate::PkiError;

/// Returns an array of random octets.
pub(crate) fn octets<const N: usize>() -> Result<[u8; N], PkiError> {
    let mut octets = [0; N];
    getrandom::fill(&mut octets).map_err(|error| PkiError::Other(format!("no randomness: {error}")))?;
    Ok(octets)
}
