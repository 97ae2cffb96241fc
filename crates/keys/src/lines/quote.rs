//! Quoting for a shell and for TOML.

/// Quotes one word for use in a shell command.
pub(super) fn shell(text: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-@:+,=".contains(letter);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Brackets an IPv6 address, so that a port or path may follow.
pub(super) fn host(name: &str) -> String {
    if name.contains(':') { format!("[{name}]") } else { name.to_owned() }
}

/// Quotes a string as a basic string of TOML.
pub(super) fn toml(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            control if control.is_control() => quoted += &format!("\\u{:04X}", u32::from(control)),
            other => quoted.push(other),
        }
    }
    quoted + "\""
}
