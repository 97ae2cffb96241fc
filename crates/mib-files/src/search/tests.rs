use super::*;

#[test]
fn plus_appends_and_minus_prepends_module_list_to_earlier_modules() {
    let modules = |text: &str| MibSearch::new(None).modules("A-MIB").modules(text).selectors;
    let module = |name: &str| ModuleSelector::Module(name.into());
    assert_eq!(modules("B-MIB:C-MIB"), [module("B-MIB"), module("C-MIB")]);
    assert_eq!(modules("+B-MIB"), [module("A-MIB"), module("B-MIB")]);
    assert_eq!(modules("-B-MIB"), [module("B-MIB"), module("A-MIB")]);
    assert_eq!(modules("ALL"), [ModuleSelector::All]);
    assert_eq!(modules("./B-MIB.txt"), [ModuleSelector::File("./B-MIB.txt".into())]);
    assert!(modules("").is_empty());
    assert!(modules(":").is_empty());
}

#[test]
fn default_search_path_begins_and_ends_with_directories_of_user() {
    let search = MibSearch::new(Some(Path::new("/home/ops")));
    assert_eq!(search.directories.first().unwrap(), Path::new("/home/ops/.snmp/mibs"));
    assert_eq!(search.directories.last().unwrap(), Path::new("/home/ops/.portreeve/mibs"));
    let search = search.directories("+/srv/mibs").directories("-/opt/mibs");
    assert_eq!(search.directories.first().unwrap(), Path::new("/opt/mibs"));
    assert_eq!(search.directories.last().unwrap(), Path::new("/srv/mibs"));
    assert_eq!(search.directories("/only").directories, [PathBuf::from("/only")]);
}

#[test]
fn explicit_files_are_taken_from_module_list_and_file_list() {
    let search = MibSearch::new(None).modules("A-MIB:/a/b.txt").files("/c/d.txt");
    let named: Vec<_> = search.explicit_files().collect();
    assert_eq!(named, [Path::new("/a/b.txt"), Path::new("/c/d.txt")]);
    assert!(!search.is_empty());
    assert!(MibSearch::new(None).modules("").is_empty());
}

#[test]
fn default_modules_are_selected_unless_module_list_replaces_them() {
    let includes_defaults = |lists: &[&str]| {
        let search = lists.iter().fold(MibSearch::new(None), |search, list| search.modules(list));
        let optional = search.selectors().contains(&ModuleSelector::Optional("UCD-SNMP-MIB".into()));
        assert_eq!(optional, search.includes_defaults());
        optional
    };
    assert!(includes_defaults(&[]) && includes_defaults(&["+A-MIB"]) && includes_defaults(&["-A-MIB"]));
    assert!(!includes_defaults(&["A-MIB"]) && !includes_defaults(&[":"]) && !includes_defaults(&["ALL"]));
    assert!(!includes_defaults(&["A-MIB", "+B-MIB"]));
    assert!(!MibSearch::new(None).is_empty());
    assert!(MibSearch::new(None).without_defaults().is_empty());
}
