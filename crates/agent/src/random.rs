//! Random numbers from the kernel.

/// Returns eight random bytes.
pub(crate) fn u64() -> u64 {
    getrandom::u64().expect("the kernel has random octets")
}

/// Returns a pass phrase or community of `length` characters that need no quoting anywhere. Each
/// character has 5.8 bits of entropy.
pub(crate) fn pass_phrase(length: usize) -> String {
    let mut text = String::with_capacity(length);
    let mut octets = [0; 64];
    while text.len() < length {
        getrandom::fill(&mut octets).expect("the kernel has random octets");
        // Random bytes above the largest multiple of the alphabet's length are discarded, so that
        // every character is equally likely.
        let whole = u8::try_from(256 / ALPHABET.len() * ALPHABET.len() - 1).unwrap_or(u8::MAX);
        let usable = octets.iter().filter(|octet| **octet <= whole);
        text.extend(
            usable
                .map(|octet| char::from(ALPHABET[usize::from(*octet) % ALPHABET.len()]))
                .take(length - text.len()),
        );
    }
    text
}

/// Letters and digits without those that look alike.
const ALPHABET: &[u8] = b"abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
