//! Every option, defined once.

use std::{net::SocketAddr, num::NonZeroUsize, path::PathBuf, time::Duration};

use portreeve_transport::{Listener, Protocol};
use portreeve_usage::Flag;

use super::{AddressingMode, MAX_RESPONSE, Percentage, SimulationPlan};

/// One option, which always has a value.
pub(super) struct ValueOption {
    pub(super) flag: Flag,
    pub(super) apply: fn(&mut SimulationPlan, &str) -> Option<()>,
}

/// Every option that says what is simulated.
pub(super) const OPTIONS: &[ValueOption] = &[
    ValueOption {
        flag: Flag::long("listen", "where the first agent listens: udp, tcp, ssh, tls or dtls; may be repeated (udp:127.0.0.1:1161)").with_value("TRANSPORT:ADDRESS:PORT"),
        apply: |plan, value| {
            plan.listen.push(listener(value)?);
            Some(())
        },
    },
    ValueOption {
        flag: Flag::long("by", "each agent has the next address, the next port (this), or is a context and community of one engine").with_value("address|port|context"),
        apply: |plan, value| {
            plan.by = match value {
                "address" => AddressingMode::Address,
                "port" => AddressingMode::Port,
                "context" => AddressingMode::Context,
                _ => return None,
            };
            Some(())
        },
    },
    ValueOption {
        flag: Flag::long("agents", "how many; they play the files in turn (one for each file)").with_value("N"),
        apply: |plan, value| {
            plan.agents = Some(value.parse().ok().filter(|agents| (1..=MAX_AGENTS).contains(agents))?);
            Some(())
        },
    },
    ValueOption {
        flag: Flag::long("community", "what SNMPv1 and v2c have to say (public)").with_value("NAME"),
        apply: |plan, value| {
            plan.community = Some(value).filter(|value| !value.is_empty())?.into();
            Some(())
        },
    },
    ValueOption {
        flag: Flag::long("users", "SNMPv3's users, one a line: NAME [AUTH PASSPHRASE [PRIV PASSPHRASE]]").with_value("FILE"),
        apply: |plan, value| {
            plan.users = Some(value.into());
            Some(())
        },
    },
    ValueOption {
        flag: Flag::long("keys", "keys and certificates for ssh, tls and dtls; made where DIR has none, and how to ask with them is told").with_value("DIR"),
        apply: |plan, value| set_path(&mut plan.keys.folder, value),
    },
    ValueOption {
        flag: Flag::long("certificate", "the agents' certificate over tls and dtls (PEM)").with_value("FILE"),
        apply: |plan, value| set_path(&mut plan.keys.certificate, value),
    },
    ValueOption {
        flag: Flag::long("key", "its private key (PEM, mode 0600); the certificate's own file unless told").with_value("FILE"),
        apply: |plan, value| set_path(&mut plan.keys.key, value),
    },
    ValueOption {
        flag: Flag::long("ca", "over tls and dtls, whoever has a certificate of this authority (PEM) may ask").with_value("FILE"),
        apply: |plan, value| set_path(&mut plan.keys.authority, value),
    },
    ValueOption {
        flag: Flag::long("host-key", "the agents' key over ssh (mode 0600)").with_value("FILE"),
        apply: |plan, value| set_path(&mut plan.keys.host_key, value),
    },
    ValueOption {
        flag: Flag::long("authorized-keys", "over ssh, whoever has one of these keys may ask, under any name").with_value("FILE"),
        apply: |plan, value| set_path(&mut plan.keys.authorized_keys, value),
    },
    ValueOption {
        flag: Flag::long("loss", "messages that are lost, each way, over udp and dtls").with_value("PERCENT"),
        apply: |plan, value| set_percentage(&mut plan.conditions.loss, value),
    },
    ValueOption {
        flag: Flag::long("duplicate", "answers that arrive twice, over udp").with_value("PERCENT"),
        apply: |plan, value| set_percentage(&mut plan.conditions.duplicate, value),
    },
    ValueOption {
        flag: Flag::long("reorder", "answers held back by 20 ms, so that later ones overtake them, over udp and dtls").with_value("PERCENT"),
        apply: |plan, value| set_percentage(&mut plan.conditions.reorder, value),
    },
    ValueOption {
        flag: Flag::long("delay", "how long every answer takes").with_value("MILLISECONDS"),
        apply: |plan, value| set_time(&mut plan.conditions.delay, value),
    },
    ValueOption {
        flag: Flag::long("jitter", "how much longer an answer may take").with_value("MILLISECONDS"),
        apply: |plan, value| set_time(&mut plan.conditions.jitter, value),
    },
    ValueOption {
        flag: Flag::long("max-response", "the longest answer, 484 to 16384: longer bulks are cut short, longer gets are tooBig (16384)").with_value("OCTETS"),
        apply: |plan, value| {
            plan.max_response =
                value.parse().ok().filter(|octets| (MIN_RESPONSE..=MAX_RESPONSE).contains(octets))?;
            Some(())
        },
    },
    ValueOption {
        flag: Flag::long("reset-clock", "agents restart this often with the snmpEngineBoots they had; seen by managers from 150 s on").with_value("SECONDS"),
        apply: |plan, value| {
            plan.reset_clock = Some(Duration::from_secs(value.parse().ok().filter(|seconds| *seconds > 0)?));
            Some(())
        },
    },
    ValueOption {
        flag: Flag::long("seed", "where chance begins: the same number, the same faults (1)").with_value("NUMBER"),
        apply: |plan, value| {
            plan.seed = value.parse().ok()?;
            Some(())
        },
    },
    ValueOption {
        flag: Flag::long("threads", "how many share the agents out among them (one for each core)").with_value("N"),
        apply: |plan, value| {
            plan.threads = Some(value.parse().ok().filter(|threads| *threads <= MAX_THREADS)?);
            Some(())
        },
    },
];

/// Where to listen, as `TRANSPORT:ADDRESS:PORT`.
pub(super) fn listener(text: &str) -> Option<Listener> {
    let (protocol, address) = text.split_once(':')?;
    let protocol = match protocol {
        "udp" => Protocol::Udp,
        "tcp" => Protocol::Tcp,
        "ssh" => Protocol::Ssh,
        "tls" => Protocol::Tls,
        "dtls" => Protocol::Dtls,
        _ => return None,
    };
    let address: SocketAddr = address.parse().ok()?;
    Some(Listener::new(protocol, address))
}

fn set_path(path: &mut Option<PathBuf>, text: &str) -> Option<()> {
    *path = Some(text).filter(|text| !text.is_empty()).map(PathBuf::from);
    path.is_some().then_some(())
}

fn set_percentage(share: &mut Percentage, text: &str) -> Option<()> {
    *share = Percentage::from_percent(text.parse().ok()?)?;
    Some(())
}

fn set_time(time: &mut Duration, text: &str) -> Option<()> {
    *time = Duration::from_millis(text.parse().ok().filter(|milliseconds| *milliseconds <= MAX_DELAY_MS)?);
    Some(())
}

const MAX_AGENTS: usize = 1_000_000;
/// More than any machine has cores.
const MAX_THREADS: NonZeroUsize = NonZeroUsize::MIN.saturating_add(1023);
/// The least that every engine takes (RFC 3417 §3.2.1).
const MIN_RESPONSE: usize = 484;
/// An hour.
const MAX_DELAY_MS: u64 = 3_600_000;
