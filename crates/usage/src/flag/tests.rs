use super::*;

#[test]
fn a_value_completes_as_its_name_says() {
    let table = [
        (Flag::long("once", "a switch (a|b)"), Completes::Nothing),
        (Flag::long("config", "x").with("FILE"), Completes::Files),
        (Flag::long("dir", "x").with("DIR[:...]"), Completes::Directories),
        (Flag::long("v", "x").with("1|2c|3"), Completes::Words(vec!["1", "2c", "3"])),
        (Flag::long("a", "set it (MD5|SHA-224)").with("PROTOCOL"), Completes::Words(vec!["MD5", "SHA-224"])),
        (Flag::long("e", "set it (e.g. 80|90 or so)").with("ENGINE-ID"), Completes::Nothing),
        (Flag::long("seed", "x (1)").with("NUMBER"), Completes::Nothing),
    ];
    for (flag, expected) in table {
        assert_eq!(flag.completes(), expected, "{flag:?}");
    }
}

#[test]
fn a_flag_is_written_with_both_names_and_its_value() {
    assert_eq!(Flag::both('o', "out", "").with("FILE").written(), "-o, --out FILE");
    assert_eq!(Flag { short: Some('v'), long: None, value: None, does: "" }.written(), "-v");
}
