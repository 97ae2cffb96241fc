//! `KexAlgorithms` and `Ciphers`: selects and orders the supported algorithms.
//!
//! These lists are written for ssh, which supports more algorithms; names of unsupported algorithms
//! are ignored. A list that leaves no algorithm is rejected, because any other choice would
//! contradict the list.

use portreeve_channel::{Algorithm, AlgorithmList};

use crate::client::pattern::matches_wildcard;

/// The effect of a list on the supported algorithms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlgorithmPreference<A> {
    /// Leaves the supported algorithms unchanged.
    Unchanged,
    /// Uses only these algorithms.
    Only(AlgorithmList<A>),
    /// These algorithms first, then the other supported algorithms.
    First(AlgorithmList<A>),
    /// All supported algorithms except these.
    Without(AlgorithmList<A>),
}

impl<A: Algorithm> AlgorithmPreference<A> {
    /// Parses a comma-separated list of patterns. A leading `-` removes, `^` moves to the front,
    /// and `+` adds, which has no effect on algorithms that are supported already.
    pub(crate) fn parse(keyword: &str, list: &str) -> Result<Self, String> {
        let sign = list.chars().next().filter(|character| matches!(character, '+' | '-' | '^'));
        let patterns = list.strip_prefix(['+', '-', '^']).unwrap_or(list);
        let matching = |pattern| {
            A::ALL.iter().copied().filter(move |supported| matches_wildcard(pattern, supported.name()))
        };
        let named = AlgorithmList::of(patterns.split(',').map(str::trim).flat_map(matching));
        let found = match (sign, named) {
            (None, None) => return Err(none_left_error::<A>(keyword)),
            (None, Some(named)) => Self::Only(named),
            (Some('^'), Some(named)) => Self::First(named),
            (Some('-'), Some(named)) if without(AlgorithmList::all(), named).is_none() => {
                return Err(none_left_error::<A>(keyword));
            }
            (Some('-'), Some(named)) => Self::Without(named),
            _ => Self::Unchanged,
        };
        Ok(found)
    }

    /// Applies the list to these algorithms.
    pub(crate) fn apply_to(self, supported: AlgorithmList<A>) -> AlgorithmList<A> {
        match self {
            Self::Unchanged => Some(supported),
            Self::Only(named) => Some(named),
            Self::First(named) => AlgorithmList::of(named.iter().chain(supported.iter())),
            Self::Without(named) => without(supported, named),
        }
        .unwrap_or(supported)
    }
}

fn without<A: Algorithm>(all: AlgorithmList<A>, named: AlgorithmList<A>) -> Option<AlgorithmList<A>> {
    AlgorithmList::of(all.iter().filter(|algorithm| !named.contains(*algorithm)))
}

fn none_left_error<A: Algorithm>(keyword: &str) -> String {
    let supported: Vec<&str> = A::ALL.iter().map(|algorithm| algorithm.name()).collect();
    format!("{keyword} selects no supported algorithm; supported: {}", supported.join(", "))
}

#[cfg(test)]
mod tests {
    use portreeve_channel::{
        Cipher::{self, Aes128Gcm, Aes256Gcm, ChaCha20Poly1305},
        KeyExchange,
    };

    use super::*;

    #[test]
    fn algorithm_list_replaces_removes_or_reorders_the_defaults() {
        for (list, expected) in [
            ("aes128-gcm@openssh.com,aes256-ctr,aes256-gcm@openssh.com", &[Aes128Gcm, Aes256Gcm][..]),
            ("chacha20-poly1305@openssh.com, aes128-gcm@openssh.com", &[ChaCha20Poly1305, Aes128Gcm]),
            ("+3des-cbc", &[Aes256Gcm, Aes128Gcm, ChaCha20Poly1305]),
            ("+chacha20-poly1305@openssh.com", &[Aes256Gcm, Aes128Gcm, ChaCha20Poly1305]),
            ("-chacha20*", &[Aes256Gcm, Aes128Gcm]),
            ("-*-ctr,*-cbc", &[Aes256Gcm, Aes128Gcm, ChaCha20Poly1305]),
            ("^chacha20-poly1305@openssh.com,aes256-ctr", &[ChaCha20Poly1305, Aes256Gcm, Aes128Gcm]),
            ("^aes256-ctr", &[Aes256Gcm, Aes128Gcm, ChaCha20Poly1305]),
            ("*gcm*", &[Aes256Gcm, Aes128Gcm]),
        ] {
            let found =
                AlgorithmPreference::<Cipher>::parse("ciphers", list).unwrap().apply_to(AlgorithmList::all());
            assert!(found.iter().eq(expected.iter().copied()), "{list}: {found:?}");
        }
    }

    #[test]
    fn algorithm_list_without_a_supported_algorithm_is_rejected() {
        for list in ["aes256-ctr,aes128-ctr", ",", "Curve25519-SHA256", "-*", "-curve25519*,mlkem*"] {
            let error = AlgorithmPreference::<KeyExchange>::parse("kexalgorithms", list).unwrap_err();
            assert!(error.starts_with("kexalgorithms selects no supported algorithm"), "{error}");
            assert!(
                error.ends_with("mlkem768x25519-sha256, curve25519-sha256, curve25519-sha256@libssh.org")
            );
        }
    }
}
