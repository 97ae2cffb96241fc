//! The names of principals, quoted for the places where they are printed.

use portreeve_config::template;
use portreeve_smi::controls_display;

/// Returns a name for a comment, without characters that would end its line.
pub(super) fn comment(name: &str) -> String {
    name.replace(controls_display, ".")
}

/// Returns a string of TOML.
pub(super) fn toml_string(text: &str) -> String {
    template::quoted(text)
}

/// Returns a word for a shell.
pub(super) fn shell_word(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// Returns a word for `snmpd.conf` of Net-SNMP.
pub(super) fn conf_word(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    format!("\"{}\"", text.replace('\\', r"\\").replace('"', "\\\""))
}

fn is_plain(text: &str) -> bool {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "_-./:@[]%+,".contains(character);
    !text.is_empty() && text.chars().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_for_each_place() {
        for (name, shell, conf, toml) in [
            ("ops@host-1", "ops@host-1", "ops@host-1", r#""ops@host-1""#),
            ("o'b $(id)", r"'o'\''b $(id)'", r#""o'b $(id)""#, r#""o'b $(id)""#),
            (r#"a"b\c"#, r#"'a"b\c'"#, r#""a\"b\\c""#, r#""a\"b\\c""#),
            ("", "''", "\"\"", "\"\""),
        ] {
            assert_eq!((&*shell_word(name), &*conf_word(name), &*toml_string(name)), (shell, conf, toml));
        }
        assert_eq!(comment("a\nb\u{1b}c"), "a.b.c");
    }
}
