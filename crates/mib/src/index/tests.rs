use super::*;
use crate::modules::{
    notification_mib::SNMP_NOTIFY_FILTER_MASK, target_mib::SNMP_TARGET_ADDR_TIMEOUT,
    usm_mib::USM_USER_STATUS, vacm_mib::VACM_ACCESS_STATUS,
};

fn split(object: &Object, suffix: &[u32]) -> (Vec<Vec<u32>>, Vec<u32>) {
    let mut parts = IndexParts::new(object.index().unwrap(), suffix);
    let values = parts.by_ref().map(|part| part.arcs.to_vec()).collect();
    (values, parts.rest().to_vec())
}

#[test]
fn strings_in_index_are_preceded_by_length_unless_implied() {
    let (values, rest) = split(&USM_USER_STATUS, &[5, 128, 0, 0, 0, 1, 2, 111, 112]);
    assert_eq!(values, [vec![128, 0, 0, 0, 1], vec![111, 112]]);
    assert!(rest.is_empty());
    assert_eq!(split(&SNMP_TARGET_ADDR_TIMEOUT, &[3, 97]), (vec![vec![3, 97]], vec![]));
    assert_eq!(
        split(&SNMP_NOTIFY_FILTER_MASK, &[1, 97, 1, 3, 6]),
        (vec![vec![97], vec![1, 3, 6]], vec![]),
        "only the last value is implied"
    );
}

#[test]
fn number_in_index_uses_one_arc_and_surplus_arcs_are_returned() {
    let (values, rest) = split(&VACM_ACCESS_STATUS, &[1, 103, 0, 3, 1, 9]);
    assert_eq!(values, [vec![103], vec![], vec![3], vec![1]]);
    assert_eq!(rest, [9]);
}

#[test]
fn arcs_of_incomplete_index_value_are_returned_unparsed() {
    for suffix in [&[5, 128, 0][..], &[4294967295], &[]] {
        assert_eq!(split(&USM_USER_STATUS, suffix), (vec![], suffix.to_vec()), "{suffix:?}");
    }
    assert_eq!(split(&SNMP_TARGET_ADDR_TIMEOUT, &[]), (vec![], vec![]));
}

#[test]
fn index_string_with_arc_above_255_is_not_converted_to_octets() {
    let mut parts = IndexParts::new(USM_USER_STATUS.index().unwrap(), &[1, 256, 1, 255]);
    assert_eq!(parts.next().unwrap().octets(), None);
    assert_eq!(parts.next().unwrap().octets(), Some(vec![255]));
}
