use super::*;

#[test]
fn completion_is_chosen_by_value_name_or_by_alternatives_in_help() {
    let table = [
        (Flag::long("once", "a switch (a|b)"), Completion::Nothing),
        (Flag::long("config", "x").with_value("FILE"), Completion::Files),
        (Flag::long("control", "x").with_value("SOCKET"), Completion::Files),
        (Flag::long("dir", "x").with_value("DIR[:...]"), Completion::Directories),
        (Flag::long("v", "x").with_value("1|2c|3"), Completion::Words(vec!["1", "2c", "3"])),
        (
            Flag::long("a", "set it (MD5|SHA-224)").with_value("PROTOCOL"),
            Completion::Words(vec!["MD5", "SHA-224"]),
        ),
        (Flag::long("e", "set it (e.g. 80|90 or so)").with_value("ENGINE-ID"), Completion::Nothing),
        (Flag::long("seed", "x (1)").with_value("NUMBER"), Completion::Nothing),
    ];
    for (flag, expected) in table {
        assert_eq!(flag.completion(), expected, "{flag:?}");
    }
}

#[test]
fn flag_syntax_shows_its_names_and_value() {
    assert_eq!(Flag::both('o', "out", "").with_value("FILE").syntax(), "-o, --out FILE");
    assert_eq!(Flag { short: Some('v'), long: None, value: None, help: "" }.syntax(), "-v");
}
