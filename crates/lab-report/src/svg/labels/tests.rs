use proptest::prelude::*;

use super::*;

#[test]
fn labels_stay_at_their_lines_if_there_is_space() {
    assert_eq!(spread(&[100.0, 20.0, 60.0], (0.0, 200.0), 18.0), [100.0, 20.0, 60.0]);
}

#[test]
fn labels_of_close_lines_move_apart() {
    assert_eq!(spread(&[50.0, 50.0, 51.0], (0.0, 200.0), 18.0), [50.0, 68.0, 86.0]);
    assert_eq!(spread(&[199.0, 200.0], (0.0, 200.0), 18.0), [182.0, 200.0]);
}

proptest! {
    #[test]
    fn labels_never_overlap(wanted in prop::collection::vec(0.0..300.0_f64, 0..16)) {
        let mut placed = spread(&wanted, (0.0, 300.0), 18.0);
        placed.sort_by(f64::total_cmp);
        prop_assert!(placed.windows(2).all(|pair| pair[1] - pair[0] > 17.999), "{:?}", placed);
        prop_assert!(placed.iter().all(|y| (-0.001..=300.001).contains(y)), "{:?}", placed);
    }
}
