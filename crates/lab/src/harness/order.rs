//! The order of the variants in a round: a permutation that follows from the seed.
//!
//! Each round has its own order, so that no variant always runs after the same other variant.

/// Returns the indices of `count` variants in the order of one round.
pub(super) fn order_of_round(seed: u64, experiment: &str, round: usize, count: usize) -> Vec<usize> {
    let mut random =
        SplitMix64(seed ^ fnv1a(experiment.as_bytes()) ^ (round as u64).wrapping_mul(GOLDEN_RATIO));
    let mut order: Vec<usize> = (0..count).collect();
    // Fisher and Yates.
    for last in (1..count).rev() {
        order.swap(last, random.below(last + 1));
    }
    order
}

/// The generator SplitMix64, which is good enough to shuffle a few hundred variants.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN_RATIO);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `limit`. The bias of the remainder is negligible for small limits.
    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}

/// Returns the FNV-1a hash, so that experiments have different orders in the same round.
fn fnv1a(octets: &[u8]) -> u64 {
    octets
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, octet| (hash ^ u64::from(*octet)).wrapping_mul(0x0100_0000_01b3))
}

const GOLDEN_RATIO: u64 = 0x9e37_79b9_7f4a_7c15;

#[cfg(test)]
mod tests;
