use std::time::Duration;

use super::{DELAY, round_trips};

#[test]
fn round_trips_follow_from_the_time_that_the_delay_adds() {
    let direct = Duration::from_millis(7);
    // At the observer, the response of the first round trip has the delay of one direction.
    assert_eq!(round_trips(direct, direct + DELAY), 1.0);
    assert_eq!(round_trips(direct, direct + 5 * DELAY + DELAY / 3), 3.0);
}
