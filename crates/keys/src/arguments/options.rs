//! Every option.

use portreeve_usage::Flag;

use super::Given;
use crate::{lines::For, names};

/// One option.
pub(crate) struct Opt {
    pub(crate) flag: Flag,
    /// Keeps the value, which is empty for a switch; `None` where it is none that is accepted.
    pub(super) take: fn(&mut Given, &str) -> Option<()>,
}

/// What asks the program about itself.
pub(crate) const ASKING: [Flag; 1] = [Flag::both('h', "help", "show this")];

pub(super) static DIR: Opt = Opt {
    flag: Flag::long("dir", "where authorities, hosts and users lie (~/.config/portreeve/keys)").with("DIR"),
    take: |given, value| {
        given.folder = Some(text(value)?.into());
        Some(())
    },
};
pub(super) static TLS: Opt = Opt {
    flag: Flag::long("tls", "only what TLS and DTLS need: certificates of X.509, ECDSA on P-256"),
    take: |given, _| {
        given.tls = true;
        Some(())
    },
};
pub(super) static SSH: Opt = Opt {
    flag: Flag::long("ssh", "only what SSH needs: keys and certificates of OpenSSH's kind, Ed25519"),
    take: |given, _| {
        given.ssh = true;
        Some(())
    },
};
pub(super) static NAME: Opt = Opt {
    flag: Flag::long(
        "name",
        "what the authority calls itself, 1 to 64 characters (Portreeve CA at this machine)",
    )
    .with("NAME"),
    take: |given, value| {
        let fits = (1..=64).contains(&value.chars().count()) && !value.chars().any(char::is_control);
        given.name = Some(fits.then(|| value.to_owned())?);
        Some(())
    },
};
pub(super) static SAN: Opt = Opt {
    flag: Flag::long(
        "san",
        "another name in the certificate: an address, a name of DNS, or a mailbox; may be repeated",
    )
    .with("NAME"),
    take: |given, value| {
        given.names.push(names::alternative(value)?);
        Some(())
    },
};
pub(super) static DAYS: Opt = Opt {
    flag: Flag::long(
        "days",
        "how long it holds, 1 to 36500 (an authority 3650, a host 825, a user 365, a successor as long as before)",
    )
    .with("N"),
    take: |given, value| {
        given.days = Some(value.parse().ok().filter(|days| (1..=MOST_DAYS).contains(days))?);
        Some(())
    },
};
pub(super) static WITHIN: Opt = Opt {
    flag: Flag::long("within", "only what ends within so many days, 1 to 36500 (30 where nothing is named)")
        .with("N"),
    take: |given, value| {
        given.within = Some(value.parse().ok().filter(|days| (1..=MOST_DAYS).contains(days))?);
        Some(())
    },
};
pub(super) static USER: Opt = Opt {
    flag: Flag::long("user", "the user to whom the key belongs, who becomes the securityName").with("USER"),
    take: |given, value| {
        given.user = Some(text(value)?);
        Some(())
    },
};
pub(super) static HOST: Opt = Opt {
    flag: Flag::long("host", "the host to which the key belongs, as it is asked").with("HOST"),
    take: |given, value| {
        given.host = Some(text(value)?);
        Some(())
    },
};
pub(super) static PRINCIPAL: Opt = Opt {
    flag: Flag::long("principal", "another user whom the SSH certificate lets in; may be repeated")
        .with("USER"),
    take: |given, value| {
        given.principals.push(text(value)?);
        Some(())
    },
};
pub(super) static SOURCE: Opt = Opt {
    flag: Flag::long(
        "source-address",
        "whence the SSH certificate holds: networks and addresses, parted by commas",
    )
    .with("LIST"),
    take: |given, value| {
        given.source_address = Some(names::are_networks(value).then(|| value.to_owned())?);
        Some(())
    },
};
pub(super) static SELF_SIGNED: Opt = Opt {
    flag: Flag::long("self-signed", "without an authority: the other end pins fingerprints and lists keys"),
    take: |given, _| {
        given.self_signed = true;
        Some(())
    },
};
pub(super) static ASK: Opt = Opt {
    flag: Flag::long("passphrase", "ask for a pass phrase, and keep the authority's key under it"),
    take: |given, _| {
        given.pass_phrase.ask = true;
        Some(())
    },
};
pub(super) static PASS_PHRASE_FILE: Opt = Opt {
    flag: Flag::long("passphrase-file", "the authority's pass phrase is the first line of FILE").with("FILE"),
    take: |given, value| {
        given.pass_phrase.file = Some(text(value)?.into());
        Some(())
    },
};
pub(super) static FORCE: Opt = Opt {
    flag: Flag::long("force", "make it anew; what is there is kept under another name, with today's date"),
    take: |given, _| {
        given.force = true;
        Some(())
    },
};
pub(super) static OUT: Opt = Opt {
    flag: Flag::long("out", "where the certificate is written (beside FILE)").with("FILE"),
    take: |given, value| {
        given.out = Some(text(value)?.into());
        Some(())
    },
};
pub(super) static JSON: Opt = Opt {
    flag: Flag::long("json", "for programs: one JSON array"),
    take: |given, _| {
        given.json = true;
        Some(())
    },
};
pub(super) static ONLY: Opt = Opt {
    flag: Flag::long("only", "these lines alone, and no headings")
        .with("agent|client|known-hosts|authorized-keys"),
    take: |given, value| {
        given.only = Some(For::from_name(value)?);
        Some(())
    },
};

fn text(value: &str) -> Option<String> {
    (!value.is_empty()).then(|| value.to_owned())
}

/// A century.
const MOST_DAYS: u32 = 36_500;
