//! Arbitrary octets as a cache of MIB modules, both unchanged and with a valid checksum.

use portreeve_mib_files::load_cache;

use crate::mib_text::exercise_all;

/// Checks that a cache is either rejected, or contains definitions as valid as those that are
/// parsed from files.
pub fn mib_cache(octets: &[u8]) {
    if octets.len() > MAX_INPUT_LEN {
        return;
    }
    if let Some(loaded) = load_cache(octets) {
        exercise_all(&loaded);
    }
    // The body consists of an empty key and the table.
    let body = [&[0; 4][..], octets].concat();
    let sealed = [MAGIC, &crc32fast::hash(&body).to_be_bytes(), &body].concat();
    if let Some(loaded) = load_cache(&sealed) {
        exercise_all(&loaded);
    }
}

const MAGIC: &[u8] = b"PRTRMIB\x02";
const MAX_INPUT_LEN: usize = 16 << 10;
