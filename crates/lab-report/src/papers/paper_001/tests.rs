use super::super::assert_near;
use super::*;

#[test]
fn table_extends_that_of_the_paper() {
    assert_eq!(ONE_SHOT[..5], paper_000::TABLE_2);
    assert_eq!(ONE_SHOT[5], TLS);
    let [ssh, tls] = [ONE_SHOT[4], ONE_SHOT[5]];
    assert!(tls.packets.value() < ssh.packets.value() && tls.fast.value() > ssh.fast.value());
}

#[test]
fn optimized_time_is_that_of_the_paper_rounded() {
    assert_near(paper_000::NODELAY_BEFORE_SSH.value(), NODELAY, NODELAY.rounding());
    assert_near(paper_000::NAGLE.value(), NAGLE, 0.0);
}

#[test]
fn machines_have_the_names_of_the_paper() {
    assert_eq!(MACHINES.map(|machine| machine.name), paper_000::TABLE_1.map(|machine| machine.name));
}
