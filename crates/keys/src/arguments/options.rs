//! The options of `portreeve keys`, each defined once.

use portreeve_usage::Flag;

use super::Args;
use crate::{lines::Audience, names};

/// The definition of an option.
pub(crate) struct OptionDefinition {
    pub(crate) flag: Flag,
    /// Stores the value, which is empty for a switch; returns `None` if the value is invalid.
    pub(super) apply: fn(&mut Args, &str) -> Option<()>,
}

/// Options that print information about the program.
pub(crate) const HELP_FLAGS: [Flag; 1] = [Flag::both('h', "help", "print this help")];

pub(super) static DIR: OptionDefinition = OptionDefinition {
    flag: Flag::long(
        "dir",
        "the directory of authorities, hosts and users (default: ~/.config/portreeve/keys)",
    )
    .with_value("DIR"),
    apply: |args, value| {
        args.folder = Some(text(value)?.into());
        Some(())
    },
};
pub(super) static TLS: OptionDefinition = OptionDefinition {
    flag: Flag::long(
        "tls",
        "create only the credentials for TLS and DTLS: X.509 certificates, ECDSA on P-256",
    ),
    apply: |args, _| {
        args.tls = true;
        Some(())
    },
};
pub(super) static SSH: OptionDefinition = OptionDefinition {
    flag: Flag::long("ssh", "create only the credentials for SSH: OpenSSH keys and certificates, Ed25519"),
    apply: |args, _| {
        args.ssh = true;
        Some(())
    },
};
pub(super) static NAME: OptionDefinition = OptionDefinition {
    flag: Flag::long(
        "name",
        "the name of the authority, 1 to 64 characters (default: Portreeve CA at HOSTNAME)",
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
        "an additional name in the certificate: an IP address, a DNS name or an email address; may be repeated",
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
        "the validity in days, 1 to 36500 (default: authority 3650, host 825, user 365, renewal: same as before)",
    )
    .with_value("N"),
    apply: |args, value| {
        args.days = Some(value.parse().ok().filter(|days| (1..=MAX_DAYS).contains(days))?);
        Some(())
    },
};
pub(super) static WITHIN: OptionDefinition = OptionDefinition {
    flag: Flag::long(
        "within",
        "renew only certificates that expire within N days, 1 to 36500 (default: 30 if no name is given)",
    )
    .with_value("N"),
    apply: |args, value| {
        args.within = Some(value.parse().ok().filter(|days| (1..=MAX_DAYS).contains(days))?);
        Some(())
    },
};
pub(super) static USER: OptionDefinition = OptionDefinition {
    flag: Flag::long("user", "the user who owns the key; the user name becomes the securityName")
        .with_value("USER"),
    apply: |args, value| {
        args.user = Some(text(value)?);
        Some(())
    },
};
pub(super) static HOST: OptionDefinition = OptionDefinition {
    flag: Flag::long("host", "the host that owns the key, by the name or address that clients use")
        .with_value("HOST"),
    apply: |args, value| {
        args.host = Some(text(value)?);
        Some(())
    },
};
pub(super) static PRINCIPAL: OptionDefinition = OptionDefinition {
    flag: Flag::long(
        "principal",
        "an additional user name with which the SSH certificate can log in; may be repeated",
    )
    .with_value("USER"),
    apply: |args, value| {
        args.principals.push(text(value)?);
        Some(())
    },
};
pub(super) static SOURCE: OptionDefinition = OptionDefinition {
    flag: Flag::long(
        "source-address",
        "networks and addresses from which the SSH certificate is accepted, separated by commas",
    )
    .with_value("LIST"),
    apply: |args, value| {
        args.source_address = Some(names::is_network_list(value).then(|| value.to_owned())?);
        Some(())
    },
};
pub(super) static SELF_SIGNED: OptionDefinition = OptionDefinition {
    flag: Flag::long(
        "self-signed",
        "create credentials without an authority; agents and clients must then trust the certificate by its fingerprint, and the SSH key by a line in authorized_keys or known_hosts",
    ),
    apply: |args, _| {
        args.self_signed = true;
        Some(())
    },
};
pub(super) static ASK: OptionDefinition = OptionDefinition {
    flag: Flag::long("passphrase", "ask for a pass phrase and encrypt the authority's key with it"),
    apply: |args, _| {
        args.pass_phrase.ask = true;
        Some(())
    },
};
pub(super) static PASS_PHRASE_FILE: OptionDefinition = OptionDefinition {
    flag: Flag::long("passphrase-file", "read the authority's pass phrase from the first line of FILE")
        .with_value("FILE"),
    apply: |args, value| {
        args.pass_phrase.file = Some(text(value)?.into());
        Some(())
    },
};
pub(super) static FORCE: OptionDefinition = OptionDefinition {
    flag: Flag::long("force", "rename existing files, with today's date in the name, and create new ones"),
    apply: |args, _| {
        args.force = true;
        Some(())
    },
};
pub(super) static OUT: OptionDefinition = OptionDefinition {
    flag: Flag::long("out", "the file for the certificate (default: next to FILE)").with_value("FILE"),
    apply: |args, value| {
        args.out = Some(text(value)?.into());
        Some(())
    },
};
pub(super) static JSON: OptionDefinition = OptionDefinition {
    flag: Flag::long("json", "print one JSON array"),
    apply: |args, _| {
        args.json = true;
        Some(())
    },
};
pub(super) static ONLY: OptionDefinition = OptionDefinition {
    flag: Flag::long("only", "print only the lines for this file or program, without headings")
        .with_value("agent|client|known-hosts|authorized-keys"),
    apply: |args, value| {
        args.only = Some(Audience::from_name(value)?);
        Some(())
    },
};

fn text(value: &str) -> Option<String> {
    (!value.is_empty()).then(|| value.to_owned())
}

/// Maximum number of days that an option accepts: about 100 years.
const MAX_DAYS: u32 = 36_500;
