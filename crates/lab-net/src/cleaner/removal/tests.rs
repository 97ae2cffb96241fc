use std::path::PathBuf;

use super::*;

/// A directory with one group that has the given files, removed on drop.
struct Fake(PathBuf);

impl Fake {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let path = std::env::temp_dir().join(format!("portreeve-removal-{name}-{}", std::process::id()));
        fs::create_dir_all(path.join("group")).unwrap();
        for (name, text) in files {
            fs::write(path.join("group").join(name), text).unwrap();
        }
        fs::write(path.join("cgroup.subtree_control"), "cpu io").unwrap();
        Self(path)
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn cpu_controller_is_disabled_unless_another_group_uses_it() {
    let unused =
        [("cpu.max", "max 100000\n"), ("cpu.weight", "100\n"), ("cgroup.subtree_control", "memory\n")];
    for (name, file, text, disabled) in [
        ("unused", "memory.max", "max", true),
        ("quota", "cpu.max", "5000 10000\n", false),
        ("weight", "cpu.weight", "50\n", false),
        ("delegated", "cgroup.subtree_control", "memory cpu\n", false),
    ] {
        let fake = Fake::new(name, &[&unused[..], &[(file, text)]].concat());
        let path = fake.0.join("cgroup.subtree_control");
        disable_cpu_controller(&path).unwrap();
        let expected = if disabled { "-cpu" } else { "cpu io" };
        assert_eq!(fs::read_to_string(path).unwrap(), expected, "{name}");
    }
}

#[test]
fn directory_and_group_that_do_not_exist_need_no_removal() {
    let path = std::env::temp_dir().join("portreeve-removal-none");
    remove_directory(&path).unwrap();
    remove_group(&path).unwrap();
}

#[test]
fn links_in_removed_directory_are_not_followed() {
    let (kept, removed) = (Fake::new("kept", &[("file", "text")]), Fake::new("links", &[]));
    std::os::unix::fs::symlink(&kept.0, removed.0.join("link")).unwrap();
    remove_directory(&removed.0).unwrap();
    assert!(!removed.0.exists() && kept.0.join("group/file").exists());
}
