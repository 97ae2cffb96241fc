use super::quote;

#[test]
fn shell_words_are_quoted_only_if_necessary() {
    assert_eq!(quote::shell("/home/ops/keys/cert.pem"), "/home/ops/keys/cert.pem");
    assert_eq!(quote::shell("/a b/$x"), "'/a b/$x'");
    assert_eq!(quote::shell("it's"), r"'it'\''s'");
    assert_eq!(quote::shell(""), "''");
}

#[test]
fn toml_strings_are_quoted_and_escaped() {
    assert_eq!(quote::toml("ops"), "\"ops\"");
    assert_eq!(quote::toml("a\"b\\c\u{7}"), "\"a\\\"b\\\\c\\u0007\"");
}
