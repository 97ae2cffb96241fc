use super::super::assert_near;
use super::*;

const EXACT: f64 = 1e-12;

#[test]
fn differences_of_table_1_follow_from_its_times() {
    for row in &TABLE_1[..2] {
        let [none, integrity, privacy, both] =
            [row.none, row.integrity, row.privacy, row.both].map(|value| value.value());
        assert_near(integrity - none, row.integrity_cost, EXACT);
        assert_near(privacy - none, row.privacy_cost, EXACT);
        assert_near(both - integrity, row.added_privacy_cost, EXACT);
        assert_near(both - none, row.both_cost, EXACT);
    }
}

#[test]
fn each_message_of_table_1_takes_its_part_of_the_walk_except_with_privacy() {
    let [_, walk, message] = TABLE_1;
    let part = |value: PaperValue| value.value() / WALK_MESSAGES as f64;
    for (whole, printed) in [
        (walk.none, message.none),
        (walk.integrity, message.integrity),
        (walk.integrity_cost, message.integrity_cost),
        (walk.both, message.both),
        (walk.added_privacy_cost, message.added_privacy_cost),
        (walk.both_cost, message.both_cost),
    ] {
        assert_near(part(whole), printed, 2.1 * printed.rounding());
    }
    // The two values that the documentation names.
    assert!(
        (part(walk.privacy) - 0.0349).abs() < 0.000_05 && (message.privacy.value() - 0.033).abs() < EXACT
    );
    assert!((part(walk.privacy_cost) - 0.0042).abs() < 0.000_05);
    assert!((message.privacy_cost.value() - 0.0021).abs() < EXACT);
}

#[test]
fn shares_of_the_text_relate_to_the_time_without_protection() {
    for (row, shares) in [(TABLE_1[0], SNMPGET_SHARES), (TABLE_1[1], SNMPWALK_SHARES)] {
        let costs = [row.integrity_cost, row.added_privacy_cost, row.both_cost];
        for (cost, share) in costs.into_iter().zip(shares) {
            assert_near(cost.value() / row.none.value(), share, 2.1 * share.rounding());
            assert!((cost.value() / row.both.value() - share.value()).abs() > 0.003);
        }
    }
}

#[test]
fn messages_and_ratios_of_table_2_follow_from_its_times() {
    let (mut doubtful_messages, mut doubtful_ratios) = (Vec::new(), Vec::new());
    for column in TABLE_2 {
        let part = |value: PaperValue| value.value() / column.messages as f64;
        for (whole, printed) in [
            (column.secure, column.secure_message),
            (column.tls, column.tls_message),
            (column.udp, column.udp_message),
        ] {
            if (part(whole) - printed.value()).abs() > 1.001 * printed.rounding() {
                doubtful_messages.push(printed.text().replace('\u{a0}', " "));
            }
        }
        for (top, printed) in [(column.secure, column.secure_ratio), (column.tls, column.tls_ratio)] {
            // The times were rounded before they were printed.
            let ratio = top.value() / column.udp.value();
            let rounding = ratio * (0.0005 / top.value() + 0.0005 / column.udp.value());
            assert_near(ratio, printed, 0.002);
            if (ratio - printed.value()).abs() > rounding + printed.rounding() {
                doubtful_ratios.push(printed.text());
            }
        }
    }
    assert_eq!(doubtful_messages, ["8.7 ms", "7.0 ms"]);
    assert_eq!(doubtful_ratios, ["1.367"]);
}

#[test]
fn setup_of_table_2_is_about_that_of_the_text() {
    for column in TABLE_2 {
        assert_near(column.secure_setup.value(), SETUP, 0.026);
        assert_near(column.tls_setup.value(), SETUP, 0.026);
    }
    assert_eq!(TABLE_2[4].messages, LEVELS_OFF_AT);
}

#[test]
fn sessions_with_setup_take_longer_in_table_3() {
    let [light, heavy] = TABLE_3;
    for row in [light, heavy] {
        assert!(row.tls.value() > row.setup.value() + row.udp.value());
    }
    assert!(light.tls.value() > heavy.tls.value() && light.udp.value() > heavy.udp.value());
}

#[test]
fn phases_of_table_4_add_up_to_about_the_walks_of_table_6() {
    let [tls, udp] = TABLE_4.map(|row| {
        let transport = [row.transport_setup, row.transport_close].into_iter().flatten();
        let phases = transport.chain([row.snmp_setup, row.walk, row.snmp_close]);
        phases.map(|phase| phase.value()).sum::<f64>()
    });
    assert!((tls - 1.012).abs() < EXACT && (udp - 0.6597).abs() < EXACT);
    assert_near(tls, SNMPWALK.v1_tls.none, 0.04);
    assert_near(udp, SNMPWALK.v1_udp, 0.02);
}

#[test]
fn messages_of_table_5_add_up_to_about_the_walks_of_table_4() {
    for (messages, phases) in TABLE_5.iter().zip(TABLE_4) {
        assert_eq!(messages.times().count(), WALK_MESSAGES);
        let sum: f64 = messages.times().map(|time| time.value()).sum();
        assert_near(sum, phases.walk, 0.06 * phases.walk.value());
    }
}

#[test]
fn first_messages_of_table_5_are_those_of_the_text() {
    for (index, messages) in TABLE_5.iter().enumerate() {
        assert_eq!(messages.times().next(), Some(FIRST_MESSAGE[index]));
        for later in messages.times().skip(1) {
            assert_near(later.value(), LATER_MESSAGE[index], 0.000_81);
        }
    }
    let [tls, later] = [FIRST_MESSAGE[0], LATER_MESSAGE[0]].map(|value| value.value());
    assert!((tls / later - 12.5).abs() < 0.05);
}

#[test]
fn differences_of_table_6_follow_from_its_times() {
    for table in [SNMPGET, SNMPWALK] {
        for levels in [table.v1_tls, table.v3_tls, table.v3_udp, table.v3_tcp] {
            let [none, auth, both] = levels.times().map(|time| time.value());
            assert_near(auth - none, levels.auth_cost, EXACT);
            assert_near(both - auth, levels.priv_cost, EXACT);
            assert_near(both - none, levels.both_cost, EXACT);
        }
    }
}

#[test]
fn ratios_of_table_6_follow_from_its_times() {
    for table in [SNMPGET, SNMPWALK] {
        for (top, bottom, printed) in [
            (table.v3_udp, table.v1_tls, table.udp_to_v1_tls),
            (table.v3_udp, table.v3_tls, table.udp_to_v3_tls),
            (table.v3_tcp, table.v1_tls, table.tcp_to_v1_tls),
            (table.v3_tcp, table.v3_tls, table.tcp_to_v3_tls),
        ] {
            for ((top, bottom), printed) in top.times().into_iter().zip(bottom.times()).zip(printed.all()) {
                // Some were cut off instead of rounded.
                assert_near(top.value() / bottom.value(), printed, 2.0 * printed.rounding());
            }
        }
    }
}

#[test]
fn tables_1_and_6_share_their_times_of_tls() {
    for (row, table) in [(TABLE_1[0], SNMPGET), (TABLE_1[1], SNMPWALK)] {
        assert_eq!([row.none, row.integrity, row.both], table.v1_tls.times());
        assert_eq!(row.operation, table.operation);
    }
}
