use super::super::assert_near;
use super::*;
use crate::statistics::{Level, student_t};

#[test]
fn tables_have_a_row_for_each_number_of_objects() {
    for table in [TABLE_1, TABLE_2, TABLE_3, TABLE_5] {
        assert_eq!(table.map(|row| row.objects), OBJECTS);
    }
    assert_eq!(TABLE_4.map(|row| row.objects), OBJECTS);
}

#[test]
fn frames_of_snmp_are_two_for_each_transaction() {
    for (frames, transactions) in TABLE_1.iter().zip(TABLE_5) {
        assert_near(2.0 * transactions.snmp.mean.value(), frames.snmp.mean, 0.3);
        assert_eq!(transactions.netconf.mean.value(), 1.0);
    }
}

#[test]
fn transactions_follow_from_the_objects_of_one_set() {
    for row in TABLE_5 {
        // The last two are one more than the objects need.
        assert_near(row.objects.div_ceil(OBJECTS_PER_SET) as f64, row.snmp.mean, 1.0);
    }
}

#[test]
fn intervals_of_table_4_follow_from_the_deviations_of_table_3() {
    let factor = student_t(Level::P99, REPETITIONS - 1) / (REPETITIONS as f64).sqrt();
    for (means, widths) in TABLE_3.iter().zip(TABLE_4) {
        assert_near(factor * means.netconf.deviation.value(), widths.netconf, factor * 0.000_6);
        assert_near(factor * means.snmp.deviation.value(), widths.snmp, factor * 0.000_6);
    }
}

#[test]
fn limits_of_table_4_are_those_of_the_paper() {
    let printed: [[f64; 4]; 6] = [
        [0.008_336_9, 0.008_963_1, 0.172_350_8, 0.218_749_2],
        [0.015_255_1, 0.018_244_9, 0.173_874_9, 0.216_225_1],
        [0.108_796_4, 0.112_103_6, 0.218_420_7, 0.251_979_3],
        [1.010_074_7, 1.335_525_3, 0.809_877_9, 0.861_422_1],
        [10.970_436, 11.570_564, 7.012_512_1, 7.321_287_9],
        [120.909_15, 137.202_65, 86.867_467, 100.950_53],
    ];
    for ((means, widths), printed) in TABLE_3.iter().zip(TABLE_4).zip(printed) {
        let [snmp, netconf] = widths.intervals(means);
        let found = [snmp.low, snmp.high, netconf.low, netconf.high];
        for (found, printed) in found.into_iter().zip(printed) {
            assert!((found - printed).abs() <= 5e-6, "M = {}: {found} {printed}", means.objects);
        }
    }
}

#[test]
fn quotients_compare_snmp_with_netconf() {
    let text = |table| quotients(table).map(|value| value.text().replace('\u{a0}', " "));
    assert_eq!(text(&TABLE_1), ["4.2 %", "72.9 %"]);
    assert_eq!(text(&TABLE_2), ["8.1 %", "28.5 %"]);
    assert_eq!(text(&TABLE_3), ["4.4 %", "137.4 %"]);
}

#[test]
fn netconf_is_faster_from_about_500_objects() {
    for row in TABLE_3 {
        let netconf_is_faster = row.netconf.mean.value() < row.snmp.mean.value();
        assert_eq!(netconf_is_faster, row.objects as f64 > FASTER_FROM.value(), "{}", row.objects);
    }
}

#[test]
fn counted_bytes_of_snmp_are_full_first_fragments() {
    // For M = 10, and from M = 1000 on, each counted frame has the size of a first fragment.
    for index in [1, 3, 4, 5] {
        let per_frame = TABLE_2[index].snmp.mean.value() / TABLE_1[index].snmp.mean.value();
        assert!((per_frame - FIRST_FRAGMENT as f64).abs() < 0.01, "{per_frame}");
    }
    let netconf = TABLE_2[5].netconf.mean.value() / TABLE_1[5].netconf.mean.value();
    assert!(netconf > 1514.0);
}

#[test]
fn datagram_is_divided_into_fragments() {
    for (payload, frames) in [(0, 1), (1472, 1), (1473, 2), (2952, 2), (2953, 3), (65_507, 45)] {
        assert_eq!(fragments(payload), frames, "{payload}");
    }
}

#[test]
fn explanation_has_the_figures_that_show_the_errors() {
    let text = counting_artefact().to_string();
    for expected in ["1480 octets", "14 frames, not 2", "3781 octets", "1500"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}
