use super::*;

/// `authorized-keys` that are relative start from there, and sshd's rules want absolute paths.
#[test]
fn a_file_named_without_its_directory_lies_in_the_current_one() {
    let here = std::env::current_dir().unwrap();
    assert_eq!(directory_of(Path::new("portreeved.toml")), here);
    assert_eq!(directory_of(Path::new("etc/portreeved.toml")), here.join("etc"));
    assert_eq!(directory_of(Path::new("/etc/portreeve/portreeved.toml")), Path::new("/etc/portreeve"));
}
