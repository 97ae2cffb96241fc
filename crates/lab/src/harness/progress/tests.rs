use std::time::Duration;

use super::{in_words, line};

#[test]
fn time_left_follows_from_the_measurements_of_this_process() {
    let text = line("walk", 30, Some(60), 20, Duration::from_secs(40));
    assert_eq!(text, "walk [###############...............] 30 of 60, 2 min left");
}

#[test]
fn time_left_is_omitted_before_the_first_measurement() {
    assert_eq!(
        line("walk", 20, Some(60), 20, Duration::from_secs(1)),
        "walk [##########....................] 20 of 60"
    );
}

#[test]
fn total_is_omitted_in_the_first_round() {
    assert_eq!(line("walk", 3, None, 0, Duration::ZERO), "walk: first round, 3 measured");
}

#[test]
fn times_have_units_that_fit_their_size() {
    let words = [0.5, 45.0, 300.0, 9000.0].map(|seconds| in_words(Duration::from_secs_f64(seconds)));
    assert_eq!(words, ["0.5 s", "45 s", "5 min", "2.5 h"]);
}
