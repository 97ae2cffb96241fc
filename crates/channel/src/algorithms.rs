//! SSH algorithm names and lists of them. All of these algorithms are strong, so no list is weak.
//! The SSH adapter defines the machine-dependent order and the names in the SSH library.

use std::fmt::Debug;

/// A kind of algorithm that both peers negotiate.
pub trait Algorithm: Copy + Debug + Eq + 'static {
    /// All algorithms of this kind.
    const ALL: &'static [Self];

    /// The name on the wire (RFC 4253 §7.1).
    fn name(self) -> &'static str;

    /// Returns the algorithm with this wire name.
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
    /// Key exchange algorithms, the best first.
    KeyExchange:
    /// ML-KEM-768 with X25519, which also resists attacks with quantum computers.
    MlKem768X25519 = "mlkem768x25519-sha256",
    /// X25519 (RFC 8731).
    Curve25519 = "curve25519-sha256",
    /// X25519 under its older name.
    Curve25519Libssh = "curve25519-sha256@libssh.org",
}

algorithms! {
    /// Ciphers. All of them are authenticated encryption.
    Cipher:
    /// AES-256 in Galois/Counter Mode (RFC 5647).
    Aes256Gcm = "aes256-gcm@openssh.com",
    /// AES-128 in Galois/Counter Mode.
    Aes128Gcm = "aes128-gcm@openssh.com",
    /// ChaCha20 with Poly1305.
    ChaCha20Poly1305 = "chacha20-poly1305@openssh.com",
}

/// A list of algorithms of one kind, best first, without duplicates and never empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AlgorithmList<A>([Option<A>; MAX_ALGORITHMS]);

impl<A: Algorithm> AlgorithmList<A> {
    /// Returns the list of all algorithms.
    pub fn all() -> Self {
        Self::collect(A::ALL.iter().copied())
    }

    /// Returns a list of these algorithms in this order, without duplicates; `None` if there are
    /// none.
    pub fn of(algorithms: impl IntoIterator<Item = A>) -> Option<Self> {
        Some(Self::collect(algorithms)).filter(|list| list.iter().next().is_some())
    }

    /// Iterates over the algorithms, best first.
    pub fn iter(&self) -> impl Iterator<Item = A> {
        self.0.into_iter().flatten()
    }

    /// Returns `true` if the list contains `algorithm`.
    pub fn contains(&self, algorithm: A) -> bool {
        self.0.contains(&Some(algorithm))
    }

    fn collect(algorithms: impl IntoIterator<Item = A>) -> Self {
        let mut list = [None; MAX_ALGORITHMS];
        let mut free = 0;
        for algorithm in algorithms {
            if !list.contains(&Some(algorithm))
                && let Some(slot) = list.get_mut(free)
            {
                *slot = Some(algorithm);
                free += 1;
            }
        }
        Self(list)
    }
}

/// The algorithms that a listener offers; `None` means all. The client's order of preference
/// decides which one is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SshAlgorithms {
    /// The key exchange algorithms to offer.
    pub key_exchanges: Option<AlgorithmList<KeyExchange>>,
    /// The ciphers to offer.
    pub ciphers: Option<AlgorithmList<Cipher>>,
}

/// The largest number of algorithms of one kind.
const MAX_ALGORITHMS: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_algorithm_is_parsed_from_its_name_and_one_list_can_hold_all() {
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
    fn algorithm_list_retains_order_omits_duplicates_and_is_never_empty() {
        use Cipher::{Aes128Gcm, ChaCha20Poly1305};
        let list = AlgorithmList::of([ChaCha20Poly1305, Aes128Gcm, ChaCha20Poly1305, Aes128Gcm]).unwrap();
        assert!(list.iter().eq([ChaCha20Poly1305, Aes128Gcm]));
        assert!(list.contains(Aes128Gcm) && !list.contains(Cipher::Aes256Gcm));
        assert_eq!(AlgorithmList::<Cipher>::of([]), None);
    }
}
