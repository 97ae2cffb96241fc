use super::*;

/// Relative `authorized-keys` start from this directory, and sshd's rules require absolute paths.
#[test]
fn directory_of_bare_file_name_is_current_directory() {
    let here = std::env::current_dir().unwrap();
    assert_eq!(directory_of(Path::new("portreeved.toml")), here);
    assert_eq!(directory_of(Path::new("etc/portreeved.toml")), here.join("etc"));
    assert_eq!(directory_of(Path::new("/etc/portreeve/portreeved.toml")), Path::new("/etc/portreeve"));
}
