//! The build ID of a program: the linker's hash of its contents, in a note of the ELF file.
//!
//! ```text
//! length of the name │ length of the ID │ type 3 │ "GNU\0" │ ID
//! ```
//! Notes precede the code, so that only the begin of the file is read.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Returns the build ID in hexadecimal digits; `None` if the file has none.
pub(super) fn build_id(program: &Path) -> Option<String> {
    let mut octets = Vec::new();
    File::open(program).ok()?.take(SEARCHED).read_to_end(&mut octets).ok()?;
    find(&octets).map(|id| id.iter().map(|octet| format!("{octet:02x}")).collect())
}

fn find(octets: &[u8]) -> Option<&[u8]> {
    octets.windows(HEADER).enumerate().find_map(|(start, header)| {
        let word = |index: usize| {
            let octets = header.get(4 * index..4 * index + 4)?;
            Some(u32::from_ne_bytes(octets.try_into().ok()?) as usize)
        };
        let is_note = word(0)? == NAME.len() && word(2)? == BUILD_ID && header.ends_with(NAME);
        let length = word(1).filter(|length| is_note && LENGTHS.contains(length))?;
        octets.get(start + HEADER..start + HEADER + length)
    })
}

/// The size of the header of a note, with its name.
const HEADER: usize = 16;
const NAME: &[u8] = b"GNU\0";
/// The type of the note.
const BUILD_ID: usize = 3;
/// The lengths of the hashes that linkers use.
const LENGTHS: std::ops::RangeInclusive<usize> = 8..=32;
/// The octets in which the note is searched for.
const SEARCHED: u64 = 64 << 10;

#[cfg(test)]
mod tests {
    use super::*;

    fn note(kind: u32, name: &[u8], id: &[u8]) -> Vec<u8> {
        let words = [name.len() as u32, id.len() as u32, kind].map(u32::to_ne_bytes);
        [&words.concat(), name, id].concat()
    }

    #[test]
    fn build_id_is_found_behind_other_notes() {
        let id: Vec<u8> = (1..=20).collect();
        let file =
            [vec![0; 7], note(1, b"GNU\0", &[9; 16]), note(3, b"Go\0\0", &[8; 20]), note(3, NAME, &id)];
        assert_eq!(find(&file.concat()), Some(&id[..]));
        assert_eq!(find(&file[..3].concat()), None);
        assert_eq!(find(&note(3, NAME, &id)[..30]), None, "the file ends within the ID");
    }

    #[test]
    fn file_that_is_not_a_program_has_none() {
        assert_eq!(build_id("/proc/self/status".as_ref()), None);
        assert_eq!(build_id("/does/not/exist".as_ref()), None);
    }
}
