use super::quote;

#[test]
fn shell_quotes_only_words_that_need_it() {
    assert_eq!(quote::shell("/home/ops/keys/cert.pem"), "/home/ops/keys/cert.pem");
    assert_eq!(quote::shell("/a b/$x"), "'/a b/$x'");
    assert_eq!(quote::shell("it's"), r"'it'\''s'");
    assert_eq!(quote::shell(""), "''");
}

#[test]
fn toml_quotes_and_escapes_text() {
    assert_eq!(quote::toml("ops"), "\"ops\"");
    assert_eq!(quote::toml("a\"b\\c\u{7}"), "\"a\\\"b\\\\c\\u0007\"");
}
