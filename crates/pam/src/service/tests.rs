use super::*;

#[test]
fn names_that_lead_elsewhere_are_no_services() {
    for name in ["", ".", "..", ".hidden", "a/b", "../passwd", "a b", "a\0b", "näm", &"a".repeat(65)] {
        assert_eq!(Service::new(name), Err(BadName), "{name:?}");
    }
    for name in ["portreeve", "sshd", "system-remote-login", "a.b_c-1", &"a".repeat(64)] {
        assert!(Service::new(name).is_ok(), "{name:?}");
    }
}

#[test]
fn rules_are_looked_for_under_the_name_in_small_letters() {
    assert_eq!(Service::new("PortReeve"), Service::new("portreeve"));
    assert_eq!(Service::new("surely-nobody-has-this").unwrap().rules(), None);
}
