//! A private PAM stack with its own users, in a mount namespace. Nothing on the machine is changed.

use std::{
    env,
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Stdio},
};

/// Runs `test` with our own `/etc/pam.d`, `/etc/passwd` and `/etc/shadow`, in a separate process
/// that runs only the test `name`. Skipped with a message if that is not possible.
pub(crate) fn in_private_stack(name: &str, test: impl FnOnce(&Path)) {
    if let Some(folder) = env::var_os(STACK_VARIABLE) {
        return test(Path::new(&folder));
    }
    let folder = tempfile::tempdir().unwrap();
    if !write_files(folder.path()) {
        eprintln!("skipped: gcc and the PAM library's headers are not installed");
        return;
    }
    let Some(flags) = namespace_flags() else {
        eprintln!("skipped: cannot create a mount namespace");
        return;
    };
    let status = Command::new("unshare")
        .args(flags)
        .args(["sh", "-c", MOUNT, "sh"])
        .arg(env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture", "--test-threads=1"])
        .env(STACK_VARIABLE, folder.path())
        .status()
        .unwrap();
    assert!(status.success(), "{name} failed inside");
}

/// Returns the flags for a namespace as root, or as a mapped root user.
fn namespace_flags() -> Option<&'static [&'static str]> {
    [&["--mount"][..], &["--mount", "--map-root-user"]].into_iter().find(|flags| {
        let tried = Command::new("unshare")
            .args(*flags)
            .args(["sh", "-c", "mount --bind /etc/pam.d /etc/pam.d"])
            .stderr(Stdio::null())
            .status();
        tried.is_ok_and(|status| status.success())
    })
}

/// Writes users, services and the module that prompts; returns `false` if the module cannot be
/// compiled.
fn write_files(folder: &Path) -> bool {
    fs::set_permissions(folder, Permissions::from_mode(0o755)).unwrap();
    let passwd: String = ["ops", "gone", "stale", "empty"]
        .iter()
        .enumerate()
        .map(|(index, user)| format!("{user}:x:{0}:{0}::/nonexistent:/bin/false\n", 4000 + index))
        .collect();
    let roots = "root:x:0:0:root:/root:/bin/sh\ntoor:x:0:0:root:/root:/bin/sh\n";
    fs::write(folder.join("passwd"), format!("{roots}{passwd}")).unwrap();
    // Every user has the password `open`, except root (none) and `empty` (an empty one).
    let shadow = format!(
        "root:*:19000:0:99999:7:::\ntoor:{OPEN_HASH}:19000:0:99999:7:::\nops:{OPEN_HASH}:19000:0:99999:7:::\ngone:{OPEN_HASH}:19000:0:99999:7::10:\n\
         stale:{OPEN_HASH}:0:0:99999:7:::\nempty::19000:0:99999:7:::\n"
    );
    fs::write(folder.join("shadow"), shadow).unwrap();
    fs::set_permissions(folder.join("shadow"), Permissions::from_mode(0o600)).unwrap();
    let quiz = folder.join("quiz.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stack/quiz.c");
    let compiled = Command::new("gcc").args(["-shared", "-fPIC", "-o"]).arg(&quiz).arg(source).status();
    let notes = folder.join("notes");
    let note = folder.join("note");
    fs::write(&note, format!("#!/bin/sh\necho \"$PAM_RHOST $PAM_TTY $PAM_USER\" > {}\n", notes.display()))
        .unwrap();
    fs::set_permissions(&note, Permissions::from_mode(0o755)).unwrap();
    fs::create_dir(folder.join("pam.d")).unwrap();
    let permit = "account required pam_permit.so\n";
    for (service, rules) in [
        ("other", "auth required pam_deny.so\naccount required pam_deny.so\n".to_owned()),
        ("portreeve", include_str!("../../portreeve.pam").to_owned()),
        ("quick", "auth required pam_unix.so nodelay\naccount required pam_unix.so\n".to_owned()),
        ("lax", format!("auth required pam_unix.so nodelay nullok\n{permit}")),
        ("closed", "auth required pam_permit.so\naccount required pam_deny.so\n".to_owned()),
        ("broken", format!("auth required pam_surely_not_there.so\n{permit}")),
        ("note", format!("auth required pam_exec.so quiet {}\n{permit}", note.display())),
        ("two", format!("auth required {} two\n{permit}", quiz.display())),
        ("rename", format!("auth required {} rename\n{permit}", quiz.display())),
        ("endless", format!("auth required {} endless\n{permit}", quiz.display())),
        ("slow", format!("auth required {} slow\n{permit}", quiz.display())),
    ] {
        fs::write(folder.join("pam.d").join(service), rules).unwrap();
    }
    compiled.is_ok_and(|status| status.success())
}

const STACK_VARIABLE: &str = "PORTREEVE_TEST_PAM";
/// The shell command that runs in the namespace: it mounts the files and then starts the test.
const MOUNT: &str = "set -e; cd \"$PORTREEVE_TEST_PAM\"; mount --bind pam.d /etc/pam.d; mount --bind passwd /etc/passwd; \
                     mount --bind shadow /etc/shadow; exec \"$@\"";
/// The crypt(3) hash of `open`.
const OPEN_HASH: &str =
    "$6$porttest$31i7U8qcdYkhAV1fZwcLxNbS0rIAT52GFVIkm/t3NjkOdWO6ex/iBOFZrB3.BcN3K7uCM.mxTA73rFChdkAM6/";
