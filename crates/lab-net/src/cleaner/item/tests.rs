use super::Item;

#[test]
fn item_written_as_line_is_parsed_to_the_same_item() {
    for item in [
        Item::Directory("/tmp/portreeve-lab-1 with space".into()),
        Item::Group("/sys/fs/cgroup/portreeve-lab-1".into()),
        Item::CpuController("/sys/fs/cgroup/cgroup.subtree_control".into()),
        Item::Namespace("/proc/17/fd/5".into()),
        Item::Marker("17-100".to_owned()),
    ] {
        let line = item.to_line().unwrap();
        assert_eq!(Item::parse(&line), Some(item), "{line}");
    }
}

#[test]
fn paths_that_lab_did_not_create_are_rejected() {
    for path in
        ["/", "/tmp", "/tmp/other", "portreeve-lab-1", "/tmp/portreeve-lab-1/..", "/tmp/a\nportreeve-lab-1"]
    {
        assert!(Item::Directory(path.into()).to_line().is_err(), "{path:?}");
        assert!(Item::Group(path.into()).to_line().is_err(), "{path:?}");
    }
    for line in
        ["", "directory", "directory ", "directory /etc", "group /sys/fs/cgroup", "namespace x", "marker "]
    {
        assert_eq!(Item::parse(line), None, "{line:?}");
    }
}

#[test]
fn names_with_line_breaks_are_rejected() {
    assert!(Item::Directory("/tmp/portreeve-lab-1\nadd directory /".into()).to_line().is_err());
}
