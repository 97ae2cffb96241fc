//! The algorithms that SSH is spoken with, by the names they are agreed on under, and choices of them: each is good, so that
//! no choice is weak. The machine-dependent order, and the library's own names, are its adapter's.

use std::fmt::Debug;

/// Something that both ends have to agree on.
pub trait Algorithm: Copy + Debug + Eq + 'static {
    /// All that there are.
    const ALL: &'static [Self];

    /// What it is called on the wire (RFC 4253 §7.1).
    fn name(self) -> &'static str;

    /// The one that is called so.
    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|algorithm| algorithm.name() == name)
    }
}

macro_rules! algorithms {
    ($(#[$doc:meta])* $kind:ident: $($(#[$about:meta])* $algorithm:ident = $name:literal,)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $kind {
            $($(#[$about])* $algorithm,)*
        }

        impl Algorithm for $kind {
            const ALL: &'static [Self] = &[$(Self::$algorithm),*];

            fn name(self) -> &'static str {
                match self {
                    $(Self::$algorithm => $name,)*
                }
            }
        }
    };
}

algorithms! {
    /// How keys are exchanged, the best first.
    KeyExchange:
    /// ML-KEM-768 with X25519, which withstands quantum computers too.
    MlKem768X25519 = "mlkem768x25519-sha256",
    /// X25519 (RFC 8731).
    Curve25519 = "curve25519-sha256",
    /// The same, by the name it had before.
    Curve25519Libssh = "curve25519-sha256@libssh.org",
}

algorithms! {
    /// How packets are sealed; each of these authenticates what it hides.
    Cipher:
    /// AES-256 in Galois/Counter Mode (RFC 5647).
    Aes256Gcm = "aes256-gcm@openssh.com",
    /// AES-128 in Galois/Counter Mode.
    Aes128Gcm = "aes128-gcm@openssh.com",
    /// ChaCha20 with Poly1305.
    ChaCha20Poly1305 = "chacha20-poly1305@openssh.com",
}

/// Some of the algorithms of one kind, each once, the best first; at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AlgorithmList<A>([Option<A>; MAX_ALGORITHMS]);

impl<A: Algorithm> AlgorithmList<A> {
    /// All there are.
    pub fn all() -> Self {
        Self::collect(A::ALL.iter().copied())
    }

    /// These, in this order, repetitions left out; `None` where there are none.
    pub fn of(algorithms: impl IntoIterator<Item = A>) -> Option<Self> {
        Some(Self::collect(algorithms)).filter(|choice| choice.iter().next().is_some())
    }

    /// One after the other.
    pub fn iter(&self) -> impl Iterator<Item = A> {
        self.0.into_iter().flatten()
    }

    /// Whether it is among them.
    pub fn contains(&self, algorithm: A) -> bool {
        self.0.contains(&Some(algorithm))
    }

    fn collect(algorithms: impl IntoIterator<Item = A>) -> Self {
        let mut taken = [None; MAX_ALGORITHMS];
        let mut free = 0;
        for algorithm in algorithms {
            if !taken.contains(&Some(algorithm))
                && let Some(place) = taken.get_mut(free)
            {
                *place = Some(algorithm);
                free += 1;
            }
        }
        Self(taken)
    }
}

/// What a listener lets be agreed on; `None` is all. Of several the client takes the one it likes best.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SshAlgorithms {
    /// How keys are exchanged.
    pub key_exchanges: Option<AlgorithmList<KeyExchange>>,
    /// How packets are sealed.
    pub ciphers: Option<AlgorithmList<Cipher>>,
}

/// As many as any kind has.
const MAX_ALGORITHMS: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_algorithm_has_a_name_and_fits_in_a_list() {
        fn check<A: Algorithm>() {
            assert!(A::ALL.len() <= MAX_ALGORITHMS);
            assert!(AlgorithmList::<A>::all().iter().eq(A::ALL.iter().copied()));
            A::ALL.iter().for_each(|algorithm| assert_eq!(A::from_name(algorithm.name()), Some(*algorithm)));
        }
        check::<KeyExchange>();
        check::<Cipher>();
        assert_eq!(KeyExchange::from_name("Curve25519-SHA256"), None);
    }

    #[test]
    fn list_keeps_order_and_drops_duplicates() {
        use Cipher::{Aes128Gcm, ChaCha20Poly1305};
        let choice = AlgorithmList::of([ChaCha20Poly1305, Aes128Gcm, ChaCha20Poly1305, Aes128Gcm]).unwrap();
        assert!(choice.iter().eq([ChaCha20Poly1305, Aes128Gcm]));
        assert!(choice.contains(Aes128Gcm) && !choice.contains(Cipher::Aes256Gcm));
        assert_eq!(AlgorithmList::<Cipher>::of([]), None);
    }
}
