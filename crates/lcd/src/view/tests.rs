use super::*;
use FamilyType::{Excluded, Included};

fn view(families: &[(&str, &[u8], FamilyType)]) -> View {
    let family = |(subtree, mask, kind): &(&str, &[u8], FamilyType)| {
        Family::new(subtree.parse().unwrap(), mask, *kind)
    };
    View::new(families.iter().map(family).collect())
}

#[test]
fn empty_view_does_not_contain_any_name() {
    assert!(!View::default().contains(&[1, 3, 6]));
    assert_eq!(View::default().classify_subtree(&[1, 3, 6]), SubtreeCoverage::None);
}

#[test]
fn longest_matching_subtree_determines_whether_view_contains_name() {
    let view = view(&[
        ("1.3.6.1.2.1", &[], Included),
        ("1.3.6.1.2.1.2", &[], Excluded),
        ("1.3.6.1.2.1.2.2.1.2", &[], Included),
    ]);
    for (name, expected) in [
        (&[1, 3, 6, 1, 2, 1, 1, 1, 0][..], true),
        (&[1, 3, 6, 1, 2, 1, 2, 1, 0], false),
        (&[1, 3, 6, 1, 2, 1, 2, 2, 1, 2, 7], true),
        (&[1, 3, 6, 1, 2, 1, 2, 2, 1, 3, 7], false),
        (&[1, 3, 6, 1, 2], false),
        (&[1, 3, 6, 1, 2, 1], true),
    ] {
        assert_eq!(view.contains(name), expected, "{name:?}");
    }
}

#[test]
fn zero_bit_in_view_mask_matches_any_arc() {
    // ifEntry, any column, row 5: 1.3.6.1.2.1.2.2.1.0.5 with the tenth bit zero.
    let view = view(&[("1.3.6.1.2.1.2.2.1.0.5", &[0xff, 0xa0], Included)]);
    assert!(view.contains(&[1, 3, 6, 1, 2, 1, 2, 2, 1, 10, 5]));
    assert!(view.contains(&[1, 3, 6, 1, 2, 1, 2, 2, 1, 2, 5, 9]));
    assert!(!view.contains(&[1, 3, 6, 1, 2, 1, 2, 2, 1, 10, 6]));
    assert!(!view.contains(&[1, 3, 6, 1, 2, 1, 2, 2, 1, 10]));
}

#[test]
fn short_view_mask_is_extended_with_ones() {
    let view = view(&[("1.3.6.1.2.1.2.2.1", &[0x7f], Included)]);
    assert!(view.contains(&[9, 3, 6, 1, 2, 1, 2, 2, 1]));
    assert!(!view.contains(&[1, 3, 6, 1, 2, 1, 2, 2, 9]));
}

#[test]
fn lexicographically_greatest_subtree_decides_if_lengths_are_equal() {
    let lower_in = view(&[("1.3.1", &[0xc0], Included), ("1.3.2", &[0xc0], Excluded)]);
    let greater_in = view(&[("1.3.1", &[0xc0], Excluded), ("1.3.2", &[0xc0], Included)]);
    assert!(!lower_in.contains(&[1, 3, 9]));
    assert!(greater_in.contains(&[1, 3, 9]));
    // The other family decides nothing, not even below this name.
    assert_eq!(lower_in.classify_subtree(&[1, 3, 9]), SubtreeCoverage::None);
    assert_eq!(greater_in.classify_subtree(&[1, 3, 9]), SubtreeCoverage::All);
}

#[test]
fn families_are_sorted_so_that_first_match_decides() {
    let view = view(&[("1.3", &[], Included), ("1.3.1", &[], Excluded), ("1.3.2", &[], Included)]);
    let subtrees: Vec<String> = view.families().iter().map(|family| family.subtree.to_string()).collect();
    assert_eq!(subtrees, ["1.3.2", "1.3.1", "1.3"]);
}

#[test]
fn coverage_of_subtree_by_view_is_all_none_or_mixed() {
    let view = view(&[
        ("1.3.6.1.2.1", &[], Included),
        ("1.3.6.1.2.1.2.2.1.0.5", &[0xff, 0xa0], Excluded),
        ("1.3.6.1.4", &[], Excluded),
    ]);
    for (prefix, expected) in [
        (&[1, 3, 6, 1, 2, 1, 1][..], SubtreeCoverage::All),
        (&[1, 3, 6, 1, 2, 1, 2, 2, 1, 10], SubtreeCoverage::Mixed),
        (&[1, 3, 6, 1, 2, 1, 2, 2, 1, 10, 5], SubtreeCoverage::None),
        (&[1, 3, 6, 1, 2, 1, 2, 2, 1, 10, 6], SubtreeCoverage::All),
        (&[1, 3, 6, 1, 4, 1], SubtreeCoverage::None),
        (&[1, 3, 6, 1, 5], SubtreeCoverage::None),
        (&[1, 3, 6], SubtreeCoverage::Mixed),
    ] {
        assert_eq!(view.classify_subtree(prefix), expected, "{prefix:?}");
    }
}

/// Implements the rule literally as in RFC 3415: among all matching families, the longest subtree
/// decides. Among equally long subtrees, the lexicographically greatest decides.
fn contains_per_rfc(families: &[Family], name: &[u32]) -> bool {
    let matching = families.iter().filter(|family| family.covers(name));
    let best = matching.max_by_key(|family| (family.subtree.len(), family.subtree.to_vec()));
    best.is_some_and(|family| family.kind == Included)
}

#[test]
fn subtree_coverage_agrees_with_view_for_every_name_in_small_tree() {
    // The names contain only the arcs 0 and 1, so that all names of up to four arcs can be listed.
    let names: Vec<Vec<u32>> = (0..=4_u32)
        .flat_map(|len| (0..1_u32 << len).map(move |bits| (0..len).map(|at| bits >> at & 1).collect()))
        .collect();
    let mut seed = 7_u32;
    let mut draw = |below: u32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 16) % below
    };
    for _ in 0..500 {
        let mut families: Vec<Family> = (0..draw(5))
            .map(|_| {
                let subtree = names[draw(15) as usize].clone();
                let kind = if draw(2) == 0 { Included } else { Excluded };
                Family::new(Oid::new(&subtree).unwrap(), &[(draw(16) as u8) << 4], kind)
            })
            .collect();
        // The subtree is part of the row's index, so each subtree occurs at most once.
        families.sort_by_key(|family| family.subtree.clone());
        families.dedup_by_key(|family| family.subtree.clone());
        let view = View::new(families.clone());
        for name in &names {
            assert_eq!(view.contains(name), contains_per_rfc(&families, name), "{families:?} {name:?}");
            let below = names.iter().filter(|other| other.starts_with(name));
            match view.classify_subtree(name) {
                SubtreeCoverage::All => below.for_each(|other| assert!(view.contains(other))),
                SubtreeCoverage::None => below.for_each(|other| assert!(!view.contains(other))),
                SubtreeCoverage::Mixed => {}
            }
        }
    }
}
