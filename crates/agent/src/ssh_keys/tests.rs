use super::*;

/// Relative patterns of `authorized-keys` start from this directory, and sshd's rules require
/// absolute paths.
#[test]
fn directory_of_configuration_file_is_returned_as_absolute_path() {
    let here = std::env::current_dir().unwrap();
    assert_eq!(directory_of(Path::new("portreeved.toml")), here);
    assert_eq!(directory_of(Path::new("etc/portreeved.toml")), here.join("etc"));
    assert_eq!(directory_of(Path::new("/etc/portreeve/portreeved.toml")), Path::new("/etc/portreeve"));
}
