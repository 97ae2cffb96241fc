use super::*;

#[test]
fn counter32_is_the_sum_over_all_workers_modulo_2_to_the_32() {
    let statistics = Statistics::new(2);
    statistics.recorder(0).add(Counter::SnmpInPkts, u64::from(u32::MAX));
    statistics.recorder(1).add(Counter::SnmpInPkts, 3);
    assert_eq!(statistics.sum(Counter::SnmpInPkts), u64::from(u32::MAX) + 3);
    assert_eq!(statistics.counter32(Counter::SnmpInPkts), 2);
    assert_eq!(statistics.sum(Counter::SnmpOutPkts), 0);
}

#[test]
fn counts_of_an_out_of_range_worker_number_are_included_in_the_sum() {
    let statistics = Statistics::new(2);
    statistics.recorder(7).count(Counter::SnmpInPkts);
    assert_eq!(statistics.sum(Counter::SnmpInPkts), 1);
}
