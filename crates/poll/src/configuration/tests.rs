use std::time::Duration;

use portreeve_config::NoFiles;

use super::parse;

const GOOD: &str = r#"
[poll]
interval = 30
[credentials.readers]
version = "2c"
community = "public"
[objects.system]
get = ["sysUpTime.0", "sysName.0"]
[objects.again]
get = "sysName.0"
[targets.core]
address = "192.0.2.1"
credentials = "readers"
objects = ["system", "again"]
window = 4
[targets.access]
address = "192.0.2.2:1161"
credentials = "readers"
objects = "system"
"#;

#[test]
fn target_inherits_poll_interval_and_merges_its_object_groups() {
    let (plan, _) = parse(GOOD, "poll.toml".as_ref(), &NoFiles).unwrap();
    let names: Vec<&str> = plan.targets.iter().map(|target| &*target.name).collect();
    assert_eq!(names, ["access", "core"]);
    let core = &plan.targets[1];
    assert_eq!((core.interval, core.window, core.group.get.len()), (Duration::from_secs(30), 4, 2));
}

#[test]
fn all_configuration_errors_are_reported_with_line_and_hint() {
    let text = GOOD
        .replace("interval = 30", "interval = 0")
        .replace("sysName.0\"]", "sysNime.0\"]")
        .replace("\"192.0.2.1\"", "\"tcp:192.0.2.1\"")
        .replace("window = 4", "windows = 4")
        .replace("objects = \"system\"", "objects = \"sistem\"");
    let rejected = parse(&text, "poll.toml".as_ref(), &NoFiles).err().unwrap().to_string();
    for part in [
        "poll.toml:3: error: interval = 0 is out of range",
        "poll.toml:8: error: `get`: \"sysNime.0\"",
        "poll.toml:12: error: `address`: \"tcp:192.0.2.1\": the poller supports UDP only",
        "has no key `windows`",
        "hint: did you mean `window`?",
        "unknown section [objects.sistem]",
        "hint: did you mean `system`?",
    ] {
        assert!(rejected.contains(part), "{part}\n{rejected}");
    }
}

#[test]
fn too_short_pass_phrase_is_reported_but_not_printed() {
    let text = "[credentials.ops]\nuser = \"ops\"\nauth-pass = \"shorty\"\n";
    let rejected = parse(text, "poll.toml".as_ref(), &NoFiles).err().unwrap().to_string();
    assert!(rejected.contains("poll.toml:3: error: a pass phrase of 6 octets is too short"), "{rejected}");
    assert!(!rejected.contains("shorty"));
}
