use super::*;

#[test]
fn invalid_or_too_long_service_names_are_rejected() {
    for name in ["", ".", "..", ".hidden", "a/b", "../passwd", "a b", "a\0b", "näm", &"a".repeat(65)] {
        assert_eq!(PamService::new(name), Err(ServiceNameError), "{name:?}");
    }
    for name in ["portreeve", "sshd", "system-remote-login", "a.b_c-1", &"a".repeat(64)] {
        assert!(PamService::new(name).is_ok(), "{name:?}");
    }
}

#[test]
fn service_name_ignores_case_and_its_pam_file_may_be_missing() {
    assert_eq!(PamService::new("PortReeve"), PamService::new("portreeve"));
    assert_eq!(PamService::new("no-such-service").unwrap().rules_file(), None);
}
