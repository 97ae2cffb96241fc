use portreeve_lab_report::sample::{Environment, RunInfo};

use super::{difference, utc};

fn info() -> RunInfo {
    RunInfo {
        arguments: vec!["run".into(), "walk".into()],
        environment: Environment { kernel: "6.1".into(), cores: 2, ..Environment::default() },
        ..RunInfo::default()
    }
}

#[test]
fn same_plan_on_the_same_machine_has_no_difference() {
    let mut later = info();
    later.started = "2030-01-01T00:00:00Z".into();
    later.duration = Some(5.0);
    assert_eq!(difference(&info(), &later), None);
}

#[test]
fn other_arguments_are_a_difference() {
    let mut other = info();
    other.arguments.push("--quick".into());
    assert_eq!(difference(&info(), &other).as_deref(), Some("it was started as `portreeve lab run walk`"));
}

#[test]
fn other_machine_or_program_is_a_difference() {
    let mut other = info();
    other.environment.kernel = "6.12".into();
    assert_eq!(difference(&info(), &other).as_deref(), Some("its kernel is 6.1, not 6.12"));
    let mut other = info();
    other.environment.commit = "abc".into();
    assert!(difference(&info(), &other).is_some_and(|text| text.contains("commit")));
    // Two builds of one commit with changes.
    let mut other = info();
    other.environment.builds.insert("portreeved".into(), "77".into());
    assert!(difference(&info(), &other).is_some_and(|text| text.contains("build of our programs")));
}

#[test]
fn other_address_of_the_device_is_a_difference() {
    let at = |address: &str| RunInfo { device: address.to_owned(), ..info() };
    assert_eq!(
        difference(&at("192.0.2.1"), &at("192.0.2.2")).as_deref(),
        Some("its device's address is 192.0.2.1, not 192.0.2.2")
    );
    assert_eq!(difference(&at("192.0.2.1"), &at("192.0.2.1")), None);
}

#[test]
fn times_are_formatted_in_utc() {
    for (seconds, text) in [
        (0, "1970-01-01T00:00:00Z"),
        (951_782_399, "2000-02-28T23:59:59Z"),
        (951_782_400, "2000-02-29T00:00:00Z"),
        (951_868_800, "2000-03-01T00:00:00Z"),
        (1_735_689_599, "2024-12-31T23:59:59Z"),
        (4_107_542_400, "2100-03-01T00:00:00Z"),
    ] {
        assert_eq!(utc(seconds), text);
    }
}
