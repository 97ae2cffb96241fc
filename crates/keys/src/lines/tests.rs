use super::quote;

#[test]
fn words_reach_a_shell_as_they_are() {
    assert_eq!(quote::shell("/home/ops/keys/cert.pem"), "/home/ops/keys/cert.pem");
    assert_eq!(quote::shell("/a b/$x"), "'/a b/$x'");
    assert_eq!(quote::shell("it's"), r"'it'\''s'");
    assert_eq!(quote::shell(""), "''");
}

#[test]
fn texts_reach_toml_as_they_are() {
    assert_eq!(quote::toml("ops"), "\"ops\"");
    assert_eq!(quote::toml("a\"b\\c\u{7}"), "\"a\\\"b\\\\c\\u0007\"");
}
