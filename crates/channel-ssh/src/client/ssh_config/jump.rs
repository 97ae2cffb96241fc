//! The hosts of `ProxyJump`, through which another is reached.

/// One host on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The user there, where one is named.
    pub user: Option<String>,
    /// The host, as ssh_config may know it.
    pub host: String,
    /// The port of its sshd, where one is named.
    pub port: Option<u16>,
}

/// Reads `[user@]host[:port]` or `ssh://[user@]host[:port]`, several with commas, the nearest first.
pub(crate) fn hops(list: &str) -> Result<Vec<Hop>, String> {
    let hops: Vec<Hop> = list
        .split(',')
        .map(|hop| hop_of(hop.trim()).ok_or_else(|| format!("proxyjump is [user@]host[:port], not {hop:?}")))
        .collect::<Result<_, _>>()?;
    if hops.len() > MAX_HOPS {
        return Err(format!("proxyjump names more than {MAX_HOPS} hosts"));
    }
    Ok(hops)
}

fn hop_of(text: &str) -> Option<Hop> {
    let text = text.strip_prefix("ssh://").unwrap_or(text).trim_end_matches('/');
    let (user, place) = match text.rsplit_once('@') {
        Some((user, place)) => (Some(user.to_owned()), place),
        None => (None, text),
    };
    let (host, number) = match place.strip_prefix('[') {
        Some(bracketed) => {
            let (host, rest) = bracketed.split_once(']')?;
            match rest.strip_prefix(':') {
                Some(number) => (host, Some(number)),
                None if rest.is_empty() => (host, None),
                None => return None,
            }
        }
        // More than one colon is an IPv6 address without brackets.
        None if place.matches(':').count() == 1 => {
            place.split_once(':').map(|(host, number)| (host, Some(number)))?
        }
        None => (place, None),
    };
    let sound =
        |name: &str| !name.is_empty() && !name.contains(char::is_whitespace) && !name.starts_with('-');
    if !sound(host) || user.as_deref().is_some_and(|user| !sound(user)) {
        return None;
    }
    let port = match number {
        Some(number) => Some(port(number)?),
        None => None,
    };
    Some(Hop { user, host: host.to_owned(), port })
}

/// A port number, which is not 0.
pub(crate) fn port(text: &str) -> Option<u16> {
    let digits = text.bytes().all(|octet| octet.is_ascii_digit());
    text.parse().ok().filter(|port| digits && *port != 0)
}

/// Longer ways are mistakes.
const MAX_HOPS: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hops_have_users_and_ports_or_not() {
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
            let expected = Hop { user: user.map(str::to_owned), host: host.to_owned(), port };
            assert_eq!(hops(text), Ok(vec![expected]), "{text}");
        }
        assert_eq!(hops("a,b").unwrap().len(), 2);
    }

    #[test]
    fn what_is_no_hop_is_refused() {
        for text in
            ["", "a,", "@a", "a:", "a:0", "a:x", "[a", "[a]b", "-oProxyCommand=x", "a b", &"a,".repeat(9)]
        {
            assert!(hops(text).is_err(), "{text}");
        }
    }
}
