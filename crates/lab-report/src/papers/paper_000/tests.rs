use super::super::assert_near;
use super::*;

#[test]
fn optimized_get_is_that_of_table_2() {
    assert_eq!(TABLE_2[4].protocol, "SNMPv2c/SSH");
    assert_eq!(TABLE_2[4].fast, NODELAY_BEFORE_SSH);
    assert!(NAGLE.value() > NODELAY.value() && NODELAY.value() > NODELAY_BEFORE_SSH.value());
}

#[test]
fn packets_of_the_walk_are_two_for_each_operation() {
    for row in TABLE_3 {
        assert!(row.packets.value() <= row.total.value(), "{}", row.protocol);
        // The last operation, which finds the end, is one more.
        assert_near(2.0 * (WALK_OPERATIONS.value() + 1.0), row.packets, 1.0);
    }
    // TCP opens and closes a connection, and USM discovers the engine with one exchange.
    let over_udp = TABLE_3.map(|row| row.total.value() - 4710.0);
    assert_eq!(over_udp, [0.0, 2.0, 2.0, 4.0, 32.0]);
}

#[test]
fn sizes_of_packets_show_the_overheads_of_the_text() {
    let middle = |row: usize| f64::from(TABLE_3[row].range.0 + TABLE_3[row].range.1) / 2.0;
    assert_near(middle(2) - middle(0), USM_OVERHEAD, 1.0);
    assert_near(middle(3) - middle(1), USM_OVERHEAD, 1.0);
    assert_near(middle(4) - middle(1), SSH_OVERHEAD, 1.0);
}

#[test]
fn each_packet_of_the_get_is_at_least_a_small_frame() {
    for row in TABLE_2 {
        let size = row.data.value() / row.packets.value();
        assert!((60.0..=1514.0).contains(&size), "{}: {size}", row.protocol);
        assert!(row.slow.is_some());
    }
}

#[test]
fn machines_are_those_of_the_text() {
    assert_eq!(TABLE_1.map(|machine| machine.name), ["meat", "veggie", "turtle"]);
}
