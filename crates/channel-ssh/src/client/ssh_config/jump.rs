//! Parses the list of jump hosts in `ProxyJump`.

/// A jump host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JumpHost {
    /// The user to log in as, if specified.
    pub user: Option<String>,
    /// The host, possibly an alias in ssh_config.
    pub host: String,
    /// The port of its sshd, if specified.
    pub port: Option<u16>,
}

/// Parses `[user@]host[:port]` or `ssh://[user@]host[:port]`, comma-separated, the nearest host
/// first.
pub(crate) fn parse_jump_hosts(list: &str) -> Result<Vec<JumpHost>, String> {
    let jump_hosts: Vec<JumpHost> = list
        .split(',')
        .map(|jump_host| {
            parse_jump_host(jump_host.trim())
                .ok_or_else(|| format!("invalid proxyjump {jump_host:?}: expected [user@]host[:port]"))
        })
        .collect::<Result<_, _>>()?;
    if jump_hosts.len() > MAX_JUMP_HOSTS {
        return Err(format!("proxyjump lists more than {MAX_JUMP_HOSTS} hosts"));
    }
    Ok(jump_hosts)
}

fn parse_jump_host(text: &str) -> Option<JumpHost> {
    let text = text.strip_prefix("ssh://").unwrap_or(text).trim_end_matches('/');
    let (user, address) = match text.rsplit_once('@') {
        Some((user, address)) => (Some(user.to_owned()), address),
        None => (None, text),
    };
    let (host, number) = match address.strip_prefix('[') {
        Some(bracketed) => {
            let (host, rest) = bracketed.split_once(']')?;
            match rest.strip_prefix(':') {
                Some(number) => (host, Some(number)),
                None if rest.is_empty() => (host, None),
                None => return None,
            }
        }
        // More than one colon means an IPv6 address without brackets.
        None if address.matches(':').count() == 1 => {
            address.split_once(':').map(|(host, number)| (host, Some(number)))?
        }
        None => (address, None),
    };
    let is_valid =
        |name: &str| !name.is_empty() && !name.contains(char::is_whitespace) && !name.starts_with('-');
    if !is_valid(host) || user.as_deref().is_some_and(|user| !is_valid(user)) {
        return None;
    }
    let port = match number {
        Some(number) => Some(parse_port(number)?),
        None => None,
    };
    Some(JumpHost { user, host: host.to_owned(), port })
}

/// Parses a port number other than 0.
pub(crate) fn parse_port(text: &str) -> Option<u16> {
    let digits = text.bytes().all(|octet| octet.is_ascii_digit());
    text.parse().ok().filter(|port| digits && *port != 0)
}

/// Maximum number of jump hosts; longer lists are mistakes.
const MAX_JUMP_HOSTS: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jump_hosts_parse_with_optional_user_and_port() {
        for (text, user, host, port) in [
            ("gate", None, "gate", None),
            ("gate:2222", None, "gate", Some(2222)),
            ("ann@gate", Some("ann"), "gate", None),
            ("ann@corp@gate:1", Some("ann@corp"), "gate", Some(1)),
            ("ssh://ann@gate:22", Some("ann"), "gate", Some(22)),
            ("[2001:db8::1]:22", None, "2001:db8::1", Some(22)),
            ("[2001:db8::1]", None, "2001:db8::1", None),
            ("2001:db8::1", None, "2001:db8::1", None),
        ] {
            let expected = JumpHost { user: user.map(str::to_owned), host: host.to_owned(), port };
            assert_eq!(parse_jump_hosts(text), Ok(vec![expected]), "{text}");
        }
        assert_eq!(parse_jump_hosts("a,b").unwrap().len(), 2);
    }

    #[test]
    fn invalid_jump_hosts_are_rejected() {
        for text in
            ["", "a,", "@a", "a:", "a:0", "a:x", "[a", "[a]b", "-oProxyCommand=x", "a b", &"a,".repeat(9)]
        {
            assert!(parse_jump_hosts(text).is_err(), "{text}");
        }
    }
}
