//! Random bytes from the kernel.

use crate::PkiError;

/// Returns an array of random bytes.
pub(crate) fn octets<const N: usize>() -> Result<[u8; N], PkiError> {
    let mut octets = [0; N];
    getrandom::fill(&mut octets)
        .map_err(|error| PkiError::Other(format!("cannot read random bytes from the system: {error}")))?;
    Ok(octets)
}
