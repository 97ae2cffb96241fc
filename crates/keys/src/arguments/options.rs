//! Every option.

use portreeve_usage::Flag;

use super::Args;
use crate::{lines::Audience, names};

/// One option.
pub(crate) struct OptionDefinition {
    pub(crate) flag: Flag,
    /// Keeps the value, which is empty for a switch; `None` where it is none that is accepted.
    pub(super) apply: fn(&mut Args, &str) -> Option<()>,
}

/// What asks the program about itself.
pub(crate) const HELP_FLAGS: [Flag; 1] = [Flag::both('h', "help", "show this")];

pub(super) static DIR: OptionDefinition = OptionDefinition {
    flag: Flag::long("dir", "where authorities, hosts and users lie (~/.config/portreeve/keys)")
        .with_value("DIR"),
    apply: |args, value| {
        args.folder = Some(text(value)?.into());
        Some(())
    },
};
pub(super) static TLS: OptionDefinition = OptionDefinition {
    flag: Flag::long("tls", "only what TLS and DTLS need: certificates of X.509, ECDSA on P-256"),
    apply: |args, _| {
        args.tls = true;
        Some(())
    },
};
pub(super) static SSH: OptionDefinition = OptionDefinition {
    flag: Flag::long("ssh", "only what SSH needs: keys and certificates of OpenSSH's kind, Ed25519"),
    apply: |args, _| {
        args.ssh = true;
        Some(())
    },
};
pub(super) static NAME: OptionDefinition = OptionDefinition {
    flag: Flag::long(
        "name",
        "what the authority calls itself, 1 to 64 characters (Portreeve CA at this machine)",
    )
    .with_value("NAME"),
    apply: |args, value| {
        let fits = (1..=64).contains(&value.chars().count()) && !value.chars().any(char::is_control);
        args.name = Some(fits.then(|| value.to_owned())?);
        Some(())
    },
};
pub(super) static SAN: OptionDefinition = OptionDefinition {
    flag: Flag::long(
        "san",
        "another name in the certificate: an address, a name of DNS, or a mailbox; may be repeated",
    )
    .with_value("NAME"),
    apply: |args, value| {
        args.names.push(names::alternative(value)?);
        Some(())
    },
};
pub(super) static DAYS: OptionDefinition = OptionDefinition {
    flag: Flag::long(
        "days",
        "how long it holds, 1 to 36500 (an authority 3650, a host 825, a user 365, a successor as long as before)",
    )
    .with_value("N"),
    apply: |args, value| {
        args.days = Some(value.parse().ok().filter(|days| (1..=MAX_DAYS).contains(days))?);
        Some(())
    },
};
pub(super) static WITHIN: OptionDefinition = OptionDefinition {
    flag: Flag::long("within", "only what ends within so many days, 1 to 36500 (30 where nothing is named)")
        .with_value("N"),
    apply: |args, value| {
        args.within = Some(value.parse().ok().filter(|days| (1..=MAX_DAYS).contains(days))?);
        Some(())
    },
};
pub(super) static USER: OptionDefinition = OptionDefinition {
    flag: Flag::long("user", "the user to whom the key belongs, who becomes the securityName")
        .with_value("USER"),
    apply: |args, value| {
        args.user = Some(text(value)?);
        Some(())
    },
};
pub(super) static HOST: OptionDefinition = OptionDefinition {
    flag: Flag::long("host", "the host to which the key belongs, as it is asked").with_value("HOST"),
    apply: |args, value| {
        args.host = Some(text(value)?);
        Some(())
    },
};
pub(super) static PRINCIPAL: OptionDefinition = OptionDefinition {
    flag: Flag::long("principal", "another user whom the SSH certificate lets in; may be repeated")
        .with_value("USER"),
    apply: |args, value| {
        args.principals.push(text(value)?);
        Some(())
    },
};
pub(super) static SOURCE: OptionDefinition = OptionDefinition {
    flag: Flag::long(
        "source-address",
        "whence the SSH certificate holds: networks and addresses, parted by commas",
    )
    .with_value("LIST"),
    apply: |args, value| {
        args.source_address = Some(names::is_network_list(value).then(|| value.to_owned())?);
        Some(())
    },
};
pub(super) static SELF_SIGNED: OptionDefinition = OptionDefinition {
    flag: Flag::long("self-signed", "without an authority: the other end pins fingerprints and lists keys"),
    apply: |args, _| {
        args.self_signed = true;
        Some(())
    },
};
pub(super) static ASK: OptionDefinition = OptionDefinition {
    flag: Flag::long("passphrase", "ask for a pass phrase, and keep the authority's key under it"),
    apply: |args, _| {
        args.pass_phrase.ask = true;
        Some(())
    },
};
pub(super) static PASS_PHRASE_FILE: OptionDefinition = OptionDefinition {
    flag: Flag::long("passphrase-file", "the authority's pass phrase is the first line of FILE")
        .with_value("FILE"),
    apply: |args, value| {
        args.pass_phrase.file = Some(text(value)?.into());
        Some(())
    },
};
pub(super) static FORCE: OptionDefinition = OptionDefinition {
    flag: Flag::long("force", "make it anew; what is there is kept under another name, with today's date"),
    apply: |args, _| {
        args.force = true;
        Some(())
    },
};
pub(super) static OUT: OptionDefinition = OptionDefinition {
    flag: Flag::long("out", "where the certificate is written (beside FILE)").with_value("FILE"),
    apply: |args, value| {
        args.out = Some(text(value)?.into());
        Some(())
    },
};
pub(super) static JSON: OptionDefinition = OptionDefinition {
    flag: Flag::long("json", "for programs: one JSON array"),
    apply: |args, _| {
        args.json = true;
        Some(())
    },
};
pub(super) static ONLY: OptionDefinition = OptionDefinition {
    flag: Flag::long("only", "these lines alone, and no headings")
        .with_value("agent|client|known-hosts|authorized-keys"),
    apply: |args, value| {
        args.only = Some(Audience::from_name(value)?);
        Some(())
    },
};

fn text(value: &str) -> Option<String> {
    (!value.is_empty()).then(|| value.to_owned())
}

/// A century.
const MAX_DAYS: u32 = 36_500;
