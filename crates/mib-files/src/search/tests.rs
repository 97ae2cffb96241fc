use super::*;

#[test]
fn lists_replace_or_join_what_was_there_as_in_net_snmp() {
    let modules = |text: &str| Search::new(None).modules("A-MIB").modules(text).wanted;
    let module = |name: &str| Wanted::Module(name.into());
    assert_eq!(modules("B-MIB:C-MIB"), [module("B-MIB"), module("C-MIB")]);
    assert_eq!(modules("+B-MIB"), [module("A-MIB"), module("B-MIB")]);
    assert_eq!(modules("-B-MIB"), [module("B-MIB"), module("A-MIB")]);
    assert_eq!(modules("ALL"), [Wanted::All]);
    assert_eq!(modules("./B-MIB.txt"), [Wanted::File("./B-MIB.txt".into())]);
    assert!(modules("").is_empty());
    assert!(modules(":").is_empty());
}

#[test]
fn directories_of_the_user_stand_around_the_systems() {
    let search = Search::new(Some(Path::new("/home/ops")));
    assert_eq!(search.directories.first().unwrap(), Path::new("/home/ops/.snmp/mibs"));
    assert_eq!(search.directories.last().unwrap(), Path::new("/home/ops/.portreeve/mibs"));
    let search = search.directories("+/srv/mibs").directories("-/opt/mibs");
    assert_eq!(search.directories.first().unwrap(), Path::new("/opt/mibs"));
    assert_eq!(search.directories.last().unwrap(), Path::new("/srv/mibs"));
    assert_eq!(search.directories("/only").directories, [PathBuf::from("/only")]);
}

#[test]
fn files_by_path_and_by_variable_are_wanted_as_such() {
    let search = Search::new(None).modules("A-MIB:/a/b.txt").files("/c/d.txt");
    let named: Vec<_> = search.named_files().collect();
    assert_eq!(named, [Path::new("/a/b.txt"), Path::new("/c/d.txt")]);
    assert!(!search.is_empty());
    assert!(Search::new(None).modules("").is_empty());
}
