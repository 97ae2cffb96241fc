use super::*;

/// A directory with the files of version 2, removed on drop.
struct Fake(PathBuf);

impl Fake {
    fn new(name: &str, controllers: &str) -> Self {
        let path = std::env::temp_dir().join(format!("portreeve-cgroup2-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join("cgroup.controllers"), controllers).unwrap();
        Self(path)
    }

    fn mount(&self) -> String {
        format!("30 23 0:26 / {} rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n", self.0.display())
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const VERSION_ONE: &str = "\
    33 32 0:29 / /sys/fs/cgroup/cpuset rw shared:9 - cgroup cgroup rw,cpuset\n\
    34 32 0:30 / /sys/fs/cgroup/cpu,cpuacct rw shared:10 - cgroup cgroup rw,cpu,cpuacct\n";

#[test]
fn version_one_is_found_by_its_controller() {
    let expected = Hierarchy { version: Version::One, root: "/sys/fs/cgroup/cpu,cpuacct".into() };
    assert_eq!(Hierarchy::find_in(VERSION_ONE), Ok(expected));
}

#[test]
fn version_two_is_used_if_it_has_the_controller() {
    let fake = Fake::new("with-cpu", "cpuset cpu io\n");
    let expected = Hierarchy { version: Version::Two, root: fake.0.clone() };
    assert_eq!(Hierarchy::find_in(&fake.mount()), Ok(expected));
    // A hybrid system: version 2 is mounted first, without the controller.
    let fake = Fake::new("without-cpu", "cpuset io\n");
    let mounts = fake.mount() + VERSION_ONE;
    assert_eq!(Hierarchy::find_in(&mounts).unwrap().version, Version::One);
}

#[test]
fn missing_controller_is_unavailable_with_reason() {
    let fake = Fake::new("missing", "cpuset io\n");
    for (mounts, reason) in [
        (String::new(), "no control groups are mounted"),
        (fake.mount(), "does not list cpu"),
        ("30 23 0:26 / /none rw - cgroup2 cgroup2 rw\n".to_owned(), "/none/cgroup.controllers"),
        ("33 32 0:29 / /x rw - cgroup cgroup rw,cpuset\n".to_owned(), "no control groups are mounted"),
    ] {
        let error = Hierarchy::find_in(&mounts).unwrap_err();
        assert!(error.is_unavailable() && error.reason().contains(reason), "{error}");
    }
}

#[test]
fn controller_must_be_enabled_for_groups_of_version_two() {
    let fake = Fake::new("enabled", "cpuset cpu io\n");
    let hierarchy = Hierarchy::find_in(&fake.mount()).unwrap();
    let path = fake.0.join("cgroup.subtree_control");
    assert!(hierarchy.disabled_controller().is_err(), "the file does not exist");
    for (list, disabled) in [("", true), ("cpuset io\n", true), ("io cpu\n", false)] {
        fs::write(&path, list).unwrap();
        assert_eq!(hierarchy.disabled_controller().unwrap(), disabled.then(|| path.clone()), "{list:?}");
    }
    let one = Hierarchy::find_in(VERSION_ONE).unwrap();
    assert_eq!(one.disabled_controller().unwrap(), None);
}
