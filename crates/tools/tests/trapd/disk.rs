//! A disk that does not accept lines, and acknowledged informs after SIGKILL.

use std::{fs, process::Command};

use portreeve_snmp_manager::ErrorStatus;

use crate::site::{Site, await_true, community, user};

#[test]
fn inform_that_cannot_be_written_is_answered_with_gen_err() {
    let site = Site::new("full-disk", "");
    site.replace("log = ", "json = \"traps.jsonl\"\nlog = ");
    fs::remove_file(site.log()).unwrap();
    std::os::unix::fs::symlink("/dev/full", site.log()).unwrap();
    let receiver = site.run();
    let response = site.inform(community(true)).unwrap();
    assert_eq!(response.error_status(), Some(ErrorStatus::GenErr));
    receiver.await_log(&["cannot write notifications: informs are answered with genErr", "No space left"]);
    site.trap(community(true), 1);
    receiver.await_log(&["traps lost: the disk does not accept them source=127.0.0.1 count=1"]);
    assert_eq!(site.text_of("traps.jsonl"), "", "no file has a notification that was refused");
    // The disk has room again, and the file is opened again.
    fs::remove_file(site.log()).unwrap();
    receiver.signal("HUP");
    let mut is_stored = || site.inform(community(true)).unwrap().error_status() == Some(ErrorStatus::NoError);
    await_true("the file to be opened again", &mut is_stored);
    assert_eq!((site.lines(), site.text_of("traps.jsonl").lines().count()), (1, 1));
}

#[test]
fn full_disk_loses_no_acknowledged_inform_and_is_used_again() {
    let site = Site::new("tmpfs", "");
    let disk = site.path.join("disk");
    fs::create_dir(&disk).unwrap();
    let mount = |words: &[&str]| Command::new("mount").args(words).arg(&disk).output();
    let is_mounted =
        mount(&["-t", "tmpfs", "-o", "size=64k", "tmpfs"]).is_ok_and(|output| output.status.success());
    if !is_mounted {
        println!("skipped: a file system cannot be mounted");
        return;
    }
    let _unmount = Unmount(disk.clone());
    site.replace("log = \"traps.log\"", "log = \"disk/traps.log\"");
    let receiver = site.run();
    fs::write(disk.join("other"), [0; 48 << 10]).unwrap();
    let (mut acknowledged, mut refused) = (0, 0);
    while refused < 3 {
        match site.inform(community(true)).unwrap().error_status() {
            Some(ErrorStatus::NoError) => acknowledged += 1,
            Some(ErrorStatus::GenErr) => refused += 1,
            other => panic!("{other:?}"),
        }
        assert!(acknowledged < 10_000);
    }
    receiver.await_log(&["cannot write notifications", "No space left"]);
    let lines = || site.text_of("disk/traps.log").lines().filter(|line| line.ends_with("coldStart")).count();
    assert_eq!(lines(), acknowledged);
    assert!(site.text_of("disk/traps.log").ends_with('\n'), "no line is cut");
    fs::remove_file(disk.join("other")).unwrap();
    let response = site.inform(user()).unwrap();
    assert_eq!(response.error_status(), Some(ErrorStatus::NoError));
    assert_eq!(lines(), acknowledged + 1);
}

/// Unmounts a file system when dropped.
struct Unmount(std::path::PathBuf);

impl Drop for Unmount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn acknowledged_informs_survive_sigkill() {
    let site = Site::new("kill", "");
    let receiver = site.run();
    for _ in 0..50 {
        site.inform(community(true)).unwrap();
    }
    receiver.kill();
    assert_eq!(site.lines(), 50);
}

#[test]
fn file_that_was_renamed_is_opened_again_at_the_signal() {
    let site = Site::new("rotate", "");
    let receiver = site.run();
    site.inform(community(true)).unwrap();
    fs::rename(site.log(), site.path.join("traps.log.1")).unwrap();
    receiver.signal("HUP");
    await_true("the new file", || {
        site.inform(community(true)).unwrap();
        site.log().exists()
    });
    assert!(site.lines() >= 1);
}
