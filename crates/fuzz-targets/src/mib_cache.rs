//! Any octets as a cache of MIB modules, as they are and with the checksum that lets them in.

use portreeve_mib_files::load_cache;

use crate::mib_text::use_all;

/// Promises: a cache is refused, or what it holds is as sound as if it had just been read.
pub fn mib_cache(octets: &[u8]) {
    if octets.len() > LONGEST {
        return;
    }
    if let Some(loaded) = load_cache(octets) {
        use_all(&loaded);
    }
    // No key, then the table.
    let body = [&[0; 4][..], octets].concat();
    let sealed = [MAGIC, &crc32fast::hash(&body).to_be_bytes(), &body].concat();
    if let Some(loaded) = load_cache(&sealed) {
        use_all(&loaded);
    }
}

const MAGIC: &[u8] = b"PRTRMIB\x02";
const LONGEST: usize = 16 << 10;
