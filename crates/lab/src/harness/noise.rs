//! The noise of the machine: the duration of a fixed computation, which only other load changes.

use std::hint::black_box;
use std::time::Instant;

/// Returns the seconds that a fixed loop takes.
pub(super) fn time_fixed_loop() -> f64 {
    let started = Instant::now();
    let mut state = 1_u64;
    for _ in 0..ITERATIONS {
        // Several steps of this generator can be computed at once: the compiler must not know it.
        state =
            black_box(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407));
    }
    black_box(state);
    started.elapsed().as_secs_f64()
}

/// About four milliseconds on a processor of 2024, in a release build.
const ITERATIONS: u64 = 3_000_000;
