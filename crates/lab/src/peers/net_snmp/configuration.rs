//! The configuration of snmpd: its addresses, community and users, and the credentials of clients.

use std::fmt::Write as _;
use std::net::IpAddr;
use std::path::Path;

use super::certificates;
use crate::client::Message;
use crate::harness::Skipped;
use crate::peers::portreeved::{ENGINE_ID, SYS_DESCR};

/// Returns the contents of `snmpd.conf`.
pub(super) fn snmpd_conf(address: IpAddr) -> String {
    let mut text = format!(
        "agentaddress udp:{address}:{PORT},dtlsudp:{address}:{DTLS_PORT},tcp:{address}:{PORT}\n\
         exactEngineID {ENGINE_ID}\nrocommunity {COMMUNITY}\nsysDescr {SYS_DESCR}\n\
         {}rouser -s tsm ops authpriv\n",
        certificates::CONFIGURATION
    );
    for User { name, auth, privacy } in USERS {
        // Writing to a string does not fail.
        let _ = match (*auth, *privacy) {
            ("", _) => writeln!(text, "createUser {name}\nrouser {name} noauth"),
            (auth, "") => writeln!(text, "createUser {name} {auth} \"{AUTH_PASS}\"\nrouser {name} auth"),
            (auth, privacy) => writeln!(
                text,
                "createUser {name} {auth} \"{AUTH_PASS}\" {privacy} \"{PRIV_PASS}\"\nrouser {name} priv"
            ),
        };
    }
    text
}

/// Returns the addresses and the community for our client.
pub(super) fn credentials(address: IpAddr, users: &Path) -> String {
    format!(
        "PORTREEVE_UDP='{address}:{PORT}'\nPORTREEVE_TCP='{address}:{PORT}'\nPORTREEVE_DTLS='{address}:{DTLS_PORT}'\n\
         PORTREEVE_RO='{COMMUNITY}'\nPORTREEVE_USERS='{}'\n",
        users.display()
    )
}

/// Returns the users in the format of `users.tsv` of `portreeved demo`.
pub(super) fn users_table() -> String {
    let rows = USERS.iter().map(|User { name, auth, privacy }| match (*auth, *privacy) {
        ("", _) => format!("{name}\tnoAuthNoPriv\t-\t-\t-\t-\n"),
        (auth, "") => format!("{name}\tauthNoPriv\t{auth}\t{AUTH_PASS}\t-\t-\n"),
        (auth, privacy) => format!("{name}\tauthPriv\t{auth}\t{AUTH_PASS}\t{privacy}\t{PRIV_PASS}\n"),
    });
    rows.collect()
}

/// Returns the credentials for messages: `1 COMMUNITY`, `2c COMMUNITY`,
/// `3 USER [AUTH PASSPHRASE [PRIV PASSPHRASE]]`, or `tsm CERTIFICATE SERVER-CERTIFICATE AUTHORITY`.
pub(super) fn credential_words(message: Message) -> Result<Vec<String>, Skipped> {
    let (auth, privacy) = match message {
        Message::V1 => return Ok(["1", COMMUNITY].map(String::from).into()),
        Message::V2c => return Ok(["2c", COMMUNITY].map(String::from).into()),
        Message::Tsm => {
            return Ok(["tsm"].into_iter().chain(certificates::NAMES).map(String::from).collect());
        }
        Message::Usm(auth, privacy) => (auth, privacy),
    };
    let fits = |user: &&User| user.auth.parse().ok() == auth && user.privacy.parse().ok() == privacy;
    let user = USERS.iter().find(fits).ok_or_else(|| Skipped("snmpd has no such user".into()))?;
    let mut words = vec!["3".to_owned(), user.name.to_owned()];
    if auth.is_some() {
        words.extend([user.auth, AUTH_PASS].map(String::from));
    }
    if privacy.is_some() {
        words.extend([user.privacy, PRIV_PASS].map(String::from));
    }
    Ok(words)
}

/// A user, whose name is as long as that of the user of our agent.
struct User {
    name: &'static str,
    auth: &'static str,
    privacy: &'static str,
}

const USERS: &[User] = &[
    User { name: "guest", auth: "", privacy: "" },
    User { name: "md5", auth: "MD5", privacy: "" },
    User { name: "sha-256", auth: "SHA-256", privacy: "" },
    User { name: "md5-des", auth: "MD5", privacy: "DES" },
    User { name: "md5-aes", auth: "MD5", privacy: "AES" },
    User { name: "sha-256-aes", auth: "SHA-256", privacy: "AES" },
    // snmpd ignores it, with a warning, if it is built without AES-256.
    User { name: "sha-256-aes-256", auth: "SHA-256", privacy: "AES-256" },
];

/// The ports, which are free in the agent's own namespace.
pub(super) const PORT: u16 = 16_161;
const DTLS_PORT: u16 = 16_162;
/// As long as the community of our agent's demo.
const COMMUNITY: &str = "lab-readonly";
const AUTH_PASS: &str = "lab auth phrase";
const PRIV_PASS: &str = "lab priv phrase";

#[cfg(test)]
mod tests {
    use super::{credential_words, snmpd_conf, users_table};
    use crate::client::Message;

    #[test]
    fn every_user_has_a_row_and_rights() {
        let (table, conf) = (users_table(), snmpd_conf([192, 0, 2, 1].into()));
        for message in [Message::USM, Message::USM_MD5, Message::USM_MD5_DES, Message::USM_SHA256_AES128] {
            let words = credential_words(message).ok().unwrap();
            assert!(table.contains(&format!("{}\t", words[1])), "{words:?}");
            assert!(conf.contains(&format!("\nrouser {} ", words[1])), "{words:?}");
        }
    }

    #[test]
    fn credentials_have_as_many_words_as_the_security_level_needs() {
        let count = |message| credential_words(message).map(|words| words.len()).ok();
        assert_eq!(count(Message::V2c), Some(2));
        assert_eq!(count(Message::USM), Some(2));
        assert_eq!(count(Message::USM_SHA256), Some(4));
        assert_eq!(count(Message::USM_MD5_AES128), Some(6));
        assert_eq!(count(Message::Tsm), Some(4));
        assert_eq!(count(Message::USM_SHA256_AES256), Some(6));
    }
}
