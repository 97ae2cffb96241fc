//! Expands `%` tokens, `~` and `${NAME}` in ssh_config values (see TOKENS in ssh_config(5)).

use std::{env, path::PathBuf};

use super::local::LocalUser;

/// The values of the tokens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tokens<'t> {
    pub(crate) local: &'t LocalUser,
    /// `%n`: the host as typed.
    pub(crate) alias: &'t str,
    /// `%h`: the host to connect to.
    pub(crate) host: &'t str,
    /// `%p`: the port to connect to.
    pub(crate) port: u16,
    /// `%r`: the user name on the server.
    pub(crate) user: &'t str,
    /// `%k`: the name under which the host's keys are listed.
    pub(crate) key_name: &'t str,
}

impl Tokens<'_> {
    /// Expands a path: first `~`, then variables and tokens.
    pub(crate) fn path(&self, text: &str) -> Result<PathBuf, String> {
        let home = self.local.home.to_string_lossy();
        let text = match text.strip_prefix('~') {
            Some("") => home.into_owned(),
            Some(below) if below.starts_with('/') => format!("{home}{below}"),
            Some(_) => {
                return Err(format!("{text:?}: the home directory of another user (~USER) is not supported"));
            }
            None => text.to_owned(),
        };
        let text = expand_variables(&text)?;
        expand(&text, |character| self.expand_token(character)).map(PathBuf::from)
    }

    fn expand_token(&self, character: char) -> Option<String> {
        Some(match character {
            'd' => self.local.home.to_string_lossy().into_owned(),
            'h' => self.host.to_owned(),
            'i' => self.local.uid.to_string(),
            'k' => self.key_name.to_owned(),
            'L' => self.local.host.split('.').next().unwrap_or_default().to_owned(),
            'l' => self.local.host.clone(),
            'n' => self.alias.to_owned(),
            'p' => self.port.to_string(),
            'r' => self.user.to_owned(),
            'u' => self.local.user.clone(),
            _ => return None,
        })
    }
}

/// Expands `HostName`: only `%h` is replaced, by the host as typed.
pub(crate) fn host_name(text: &str, typed: &str) -> Result<String, String> {
    expand(text, |character| (character == 'h').then(|| typed.to_owned()))
}

fn expand(text: &str, expand_letter: impl Fn(char) -> Option<String>) -> Result<String, String> {
    let mut expanded = String::new();
    let mut chars = text.chars();
    while let Some(character) = chars.next() {
        match (character, character == '%') {
            (plain, false) => expanded.push(plain),
            (_, true) => match chars.next() {
                Some('%') => expanded.push('%'),
                Some(character) => expanded.push_str(
                    &expand_letter(character)
                        .ok_or_else(|| format!("{text:?}: %{character} is not supported"))?,
                ),
                None => return Err(format!("{text:?} ends with %")),
            },
        }
        if expanded.len() > MAX_VALUE_LEN {
            return Err("the expanded value is too long".into());
        }
    }
    Ok(expanded)
}

/// Expands `${NAME}`. The variable must be set.
fn expand_variables(text: &str) -> Result<String, String> {
    let mut expanded = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let (name, after_name) =
            after.split_once('}').ok_or_else(|| format!("{text:?}: ${{ has no closing brace"))?;
        let value = env::var(name).map_err(|_| format!("{text:?}: the variable {name} is not set"))?;
        expanded.push_str(before);
        expanded.push_str(&value);
        rest = after_name;
    }
    expanded.push_str(rest);
    Ok(expanded)
}

/// Maximum length of an expanded value in bytes.
const MAX_VALUE_LEN: usize = 64 << 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tilde_and_percent_tokens_expand_as_in_openssh() {
        let local = LocalUser {
            home: "/home/ann".into(),
            user: "ann".into(),
            uid: 1000,
            host: "desk.example".into(),
        };
        let tokens = Tokens {
            local: &local,
            alias: "gw",
            host: "gw.example",
            port: 5161,
            user: "root",
            key_name: "keys",
        };
        for (text, expected) in [
            ("~/.ssh/id", Ok("/home/ann/.ssh/id")),
            ("~", Ok("/home/ann")),
            (
                "%d/%h/%i/%k/%L/%l/%n/%p/%r/%u/%%",
                Ok("/home/ann/gw.example/1000/keys/desk/desk.example/gw/5161/root/ann/%"),
            ),
            ("/a~b", Ok("/a~b")),
            ("~bob/x", Err(())),
            ("%x", Err(())),
            ("x%", Err(())),
            ("${PORTREEVE_NO_SUCH_VARIABLE}", Err(())),
            ("${OPEN", Err(())),
        ] {
            assert_eq!(tokens.path(text).map_err(|_| ()), expected.map(PathBuf::from), "{text}");
        }
    }

    #[test]
    fn host_name_setting_expands_only_the_percent_h_token() {
        assert_eq!(host_name("%h.example", "gw"), Ok("gw.example".into()));
        assert!(host_name("%n.example", "gw").is_err());
    }
}
