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

fn pam() -> Pam {
    Pam {
        service: "portreeve".to_owned(),
        line: 1,
        password: true,
        keyboard_interactive: true,
        root_password: false,
        check_account: false,
    }
}

fn authentication(pam: &Pam) -> Authentication {
    let mut authentication = Authentication::default();
    set_verifiers(&mut authentication, PamService::new(&pam.service).unwrap(), pam);
    authentication
}

#[test]
fn review_l7_accounts_are_verified_if_check_account_is_set() {
    for check_account in [false, true] {
        let authentication = authentication(&Pam { check_account, ..pam() });
        assert_eq!(authentication.account.is_some(), check_account);
    }
}

#[test]
fn review_l8_root_passwords_are_refused_unless_root_password_is_set() {
    for root_password in [false, true] {
        let authentication = authentication(&Pam { root_password, ..pam() });
        let expected = PamService::new("portreeve").unwrap().allow_root(root_password);
        for verifier in [&authentication.password, &authentication.keyboard_interactive] {
            assert_eq!(format!("{verifier:?}"), format!("{:?}", Some(&expected)));
        }
    }
}
