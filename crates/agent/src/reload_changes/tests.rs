use std::fs;

use portreeve_config::{NoFiles, parse};

use super::*;

#[test]
fn changed_added_and_removed_files_are_listed() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("portreeved.toml");
    let write = |name: &str, content: &str| fs::write(directory.path().join(name), content).unwrap();
    let settings = |revocations: &str| {
        let text = format!(
            "[[listen]]\ntransport = \"tls\"\n[tls]\ncertificate = \"agent.pem\"\nkey = \"agent.key\"\n\
             authorities = [\"ca.pem\"]\ncrl = [\"{revocations}\"]\n"
        );
        ReloadableSettings::new(&parse(&text, &file, &NoFiles).unwrap().config, &file)
    };
    ["agent.pem", "agent.key", "ca.pem", "old.crl", "new.crl"].into_iter().for_each(|name| write(name, "1"));
    let before = settings("old.crl");
    assert!(settings("old.crl").changes_since(&before).is_empty());
    write("agent.pem", "2");
    let changes = settings("new.crl").changes_since(&before);
    let path = |name: &str| directory.path().join(name).display().to_string();
    let expected = [
        format!("{}: changed", path("agent.pem")),
        format!("{}: added", path("new.crl")),
        format!("{}: removed", path("old.crl")),
    ];
    assert_eq!(changes, expected);
}

#[test]
fn changed_sections_are_listed_unless_only_their_lines_moved() {
    let file = Path::new("portreeved.toml");
    let settings = |text: &str| ReloadableSettings::new(&parse(text, file, &NoFiles).unwrap().config, file);
    let ssh = |text: &str, keys: &str| {
        format!(
            "{text}[[listen]]\ntransport = \"ssh\"\n[ssh]\nhost-keys = [\"key\"]\nauthorized-keys = [\"{keys}\"]\n"
        )
    };
    let before = settings(&ssh("", "keys/%u"));
    assert!(settings(&ssh("# a comment\n", "keys/%u")).changes_since(&before).is_empty());
    let changes = settings(&ssh("[log]\nsets = true\n", "other/%u")).changes_since(&before);
    assert_eq!(changes, ["[log] sets: changed", "[ssh]: changed"]);
}
