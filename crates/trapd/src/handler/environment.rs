//! The environment of a handler: that of the receiver, without the variables that concern only the
//! receiver.

use std::{ffi::OsStr, process::Command};

/// Removes the variables that a handler does not inherit.
pub(super) fn remove_variables(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        if !is_inherited(&name) {
            command.env_remove(name);
        }
    }
}

/// Returns whether handlers inherit the variable. A pass phrase of the commands, such as
/// `PORTREEVE_AUTH_PASS`, is a secret of the user who has started the receiver.
fn is_inherited(name: &OsStr) -> bool {
    let octets = name.as_encoded_bytes();
    let is_pass_phrase = octets.starts_with(b"PORTREEVE_") && octets.ends_with(b"_PASS");
    !is_pass_phrase && SERVICE_VARIABLES.iter().all(|service| name != *service)
}

/// The variables by which a service manager addresses the receiver, not its handlers.
const SERVICE_VARIABLES: [&str; 6] =
    ["NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC", "LISTEN_FDS", "LISTEN_FDNAMES", "LISTEN_PID"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pass_phrases_and_variables_of_the_service_manager_are_not_inherited() {
        let inherited = |name: &str| is_inherited(OsStr::new(name));
        for name in ["PORTREEVE_AUTH_PASS", "PORTREEVE_PRIV_PASS", "PORTREEVE_X_PASS", "NOTIFY_SOCKET"] {
            assert!(!inherited(name), "{name}");
        }
        for name in ["PATH", "PORTREEVE_PASSAGE", "MY_PORTREEVE_AUTH_PASS", "LISTEN_FDS_X"] {
            assert!(inherited(name), "{name}");
        }
    }
}
