//! Writes the items of a schema file.

use super::Item;

/// Appends a list.
pub(super) fn write_list<T: Item>(items: &[T], file: &mut Vec<u8>) {
    write_length(items.len(), file);
    for item in items {
        item.write(file);
    }
}

/// Appends a text.
pub(super) fn write_text(text: &str, file: &mut Vec<u8>) {
    write_length(text.len(), file);
    file.extend(text.as_bytes());
}

/// Appends a length. The builder's limits keep texts and lists shorter than 2³²; a longer one could
/// not be read back.
fn write_length(length: usize, file: &mut Vec<u8>) {
    file.extend(u32::try_from(length).unwrap_or(u32::MAX).to_be_bytes());
}
