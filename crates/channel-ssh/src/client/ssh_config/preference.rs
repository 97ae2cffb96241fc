//! `KexAlgorithms` and `Ciphers`: which of ours may be used, and in which order.
//!
//! These lists are written for ssh, which has more algorithms than we have; names of those are passed over. What would leave
//! us with none is refused, since it would be something else than what is written.

use portreeve_channel::{Algorithm, Choice};

use crate::client::pattern::wildcard;

/// What a list makes of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preference<A> {
    /// Nothing else.
    AsTheyAre,
    /// These, and no others.
    Only(Choice<A>),
    /// These, and then the others.
    First(Choice<A>),
    /// All but these.
    Without(Choice<A>),
}

impl<A: Algorithm> Preference<A> {
    /// Reads a list with commas, patterns allowed. `-` before it takes from ours, `^` puts first, and `+` adds what we have
    /// already.
    pub(crate) fn parse(keyword: &str, list: &str) -> Result<Self, String> {
        let sign = list.chars().next().filter(|letter| matches!(letter, '+' | '-' | '^'));
        let patterns = list.strip_prefix(['+', '-', '^']).unwrap_or(list);
        let like = |pattern| A::ALL.iter().copied().filter(move |ours| wildcard(pattern, ours.name()));
        let named = Choice::of(patterns.split(',').map(str::trim).flat_map(like));
        let found = match (sign, named) {
            (None, None) => return Err(none_left::<A>(keyword)),
            (None, Some(named)) => Self::Only(named),
            (Some('^'), Some(named)) => Self::First(named),
            (Some('-'), Some(named)) if without(Choice::all(), named).is_none() => {
                return Err(none_left::<A>(keyword));
            }
            (Some('-'), Some(named)) => Self::Without(named),
            _ => Self::AsTheyAre,
        };
        Ok(found)
    }

    /// What it makes of these.
    pub(crate) fn applied_to(self, ours: Choice<A>) -> Choice<A> {
        match self {
            Self::AsTheyAre => Some(ours),
            Self::Only(named) => Some(named),
            Self::First(named) => Choice::of(named.iter().chain(ours.iter())),
            Self::Without(named) => without(ours, named),
        }
        .unwrap_or(ours)
    }
}

fn without<A: Algorithm>(all: Choice<A>, named: Choice<A>) -> Option<Choice<A>> {
    Choice::of(all.iter().filter(|algorithm| !named.has(*algorithm)))
}

fn none_left<A: Algorithm>(keyword: &str) -> String {
    let ours: Vec<&str> = A::ALL.iter().map(|algorithm| algorithm.name()).collect();
    format!("{keyword} leaves none of those that we have: {}", ours.join(", "))
}

#[cfg(test)]
mod tests {
    use portreeve_channel::{
        Cipher::{self, Aes128Gcm, Aes256Gcm, ChaCha20Poly1305},
        KeyExchange,
    };

    use super::*;

    #[test]
    fn a_list_replaces_ours_takes_from_them_or_comes_first() {
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
            let found = Preference::<Cipher>::parse("ciphers", list).unwrap().applied_to(Choice::all());
            assert!(found.iter().eq(expected.iter().copied()), "{list}: {found:?}");
        }
    }

    #[test]
    fn what_would_leave_none_is_refused_and_ours_are_named() {
        for list in ["aes256-ctr,aes128-ctr", ",", "Curve25519-SHA256", "-*", "-curve25519*,mlkem*"] {
            let error = Preference::<KeyExchange>::parse("kexalgorithms", list).unwrap_err();
            assert!(error.starts_with("kexalgorithms leaves none"), "{error}");
            assert!(
                error.ends_with("mlkem768x25519-sha256, curve25519-sha256, curve25519-sha256@libssh.org")
            );
        }
    }
}
