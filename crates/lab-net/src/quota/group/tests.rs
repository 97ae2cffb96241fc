use std::fs;

use super::*;

#[test]
fn quota_is_the_stated_part_of_its_period_and_not_below_the_minimum() {
    for (cores, quota, period) in [
        (1.0, 10_000, 10_000),
        (0.5, 5_000, 10_000),
        (0.1, 1_000, 10_000),
        (0.05, 1_000, 20_000),
        (0.001, 1_000, 1_000_000),
        (4.0, 40_000, 10_000),
    ] {
        assert_eq!(quota_and_period(cores), (quota, period), "{cores}");
    }
}

#[test]
fn throttling_of_both_versions_is_parsed() {
    let expected = Throttling { periods: 21, throttled: 20, waited: Duration::from_micros(1_500_000) };
    let one = "nr_periods 21\nnr_throttled 20\nthrottled_time 1500000000\nnr_bursts 0\n";
    assert_eq!(parse_throttling(one), expected);
    let two = "usage_usec 17\nuser_usec 1\nnr_periods 21\nnr_throttled 20\nthrottled_usec 1500000\n";
    assert_eq!(parse_throttling(two), expected);
    assert_eq!(parse_throttling("text"), Throttling::default());
}

/// A directory with the files of a group, removed on drop.
struct Fake {
    group: Group,
    _directory: tempfile::TempDir,
}

impl Fake {
    fn new(version: Version) -> Self {
        let directory = tempfile::tempdir().unwrap();
        Self { group: Group { path: directory.path().to_owned(), version }, _directory: directory }
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.group.path.join(name)).unwrap()
    }
}

#[test]
fn quota_and_processes_are_written_to_files_of_each_version() {
    let two = Fake::new(Version::Two);
    two.group.set(0.05).unwrap();
    two.group.add(17).unwrap();
    assert_eq!((two.read("cpu.max"), two.read("cgroup.procs")), ("1000 20000".to_owned(), "17".to_owned()));
    let one = Fake::new(Version::One);
    one.group.set(0.5).unwrap();
    assert_eq!(one.read("cpu.cfs_quota_us"), "5000");
    assert_eq!(one.read("cpu.cfs_period_us"), "10000");
    assert!(one.group.throttling().is_err(), "the file does not exist");
    fs::write(one.group.path.join("cpu.stat"), "nr_periods 3\n").unwrap();
    assert_eq!(one.group.throttling().unwrap().periods, 3);
}

#[test]
fn quotas_below_minimum_and_above_maximum_are_rejected() {
    let fake = Fake::new(Version::Two);
    for cores in [0.0, -1.0, 0.0001, 5000.0, f64::NAN, f64::INFINITY] {
        assert!(fake.group.set(cores).is_err(), "{cores}");
    }
    assert!(!fake.group.path.join("cpu.max").exists());
}
