//! The definitions of all options.

use std::{net::SocketAddr, num::NonZeroUsize, path::PathBuf, time::Duration};

use portreeve_transport::{Listener, Protocol};
use portreeve_usage::Flag;

use super::{AddressingMode, MAX_RESPONSE, Percentage, SimulationPlan};

/// The definition of an option with a value.
pub(super) struct ValueOption {
    pub(super) flag: Flag,
    pub(super) apply: fn(&mut SimulationPlan, &str) -> Option<()>,
}

/// Every option of the simulation.
pub(super) const OPTIONS: &[ValueOption] = &[
    ValueOption {
        flag: Flag::long("listen", "listener of the first agent: udp, tcp, ssh, tls or dtls; can be repeated (default udp:127.0.0.1:1161)").with_value("TRANSPORT:ADDRESS:PORT"),
        apply: |plan, value| {
            plan.listen.push(listener(value)?);
            Some(())
        },
    },
    ValueOption {
        flag: Flag::long("by", "address: each agent has its own IP address; port (default): its own port; context: its own context and community in one engine").with_value("address|port|context"),
        apply: |plan, value| {
            plan.addressing = match value {
                "address" => AddressingMode::Address,
                "port" => AddressingMode::Port,
                "context" => AddressingMode::Context,
                _ => return None,
            };
            Some(())
        },
    },
    ValueOption {
        flag: Flag::long("agents", "number of agents, assigned to the files in rotation (default: one per file)").with_value("N"),
        apply: |plan, value| {
            plan.agents = Some(value.parse().ok().filter(|agents| (1..=MAX_AGENTS).contains(agents))?);
            Some(())
        },
    },
    ValueOption {
        flag: Flag::long("community", "community for SNMPv1 and v2c (default public)").with_value("NAME"),
        apply: |plan, value| {
            plan.community = Some(value).filter(|value| !value.is_empty())?.into();
            Some(())
        },
    },
    ValueOption {
        flag: Flag::long("users", "SNMPv3 users, one per line: NAME [AUTH PASSPHRASE [PRIV PASSPHRASE]]").with_value("FILE"),
        apply: |plan, value| {
            plan.users = Some(value.into());
            Some(())
        },
    },
    ValueOption {
        flag: Flag::long("keys", "directory of the keys and certificates for ssh, tls and dtls; missing files are created, and commands that use them are printed").with_value("DIR"),
        apply: |plan, value| set_path(&mut plan.keys.folder, value),
    },
    ValueOption {
        flag: Flag::long("certificate", "the agents' certificate for tls and dtls (PEM)").with_value("FILE"),
        apply: |plan, value| set_path(&mut plan.keys.certificate, value),
    },
    ValueOption {
        flag: Flag::long("key", "private key of the certificate (PEM, mode 0600); by default in the certificate file").with_value("FILE"),
        apply: |plan, value| set_path(&mut plan.keys.key, value),
    },
    ValueOption {
        flag: Flag::long("ca", "over tls and dtls, accept clients with a certificate of this authority (PEM)").with_value("FILE"),
        apply: |plan, value| set_path(&mut plan.keys.authority, value),
    },
    ValueOption {
        flag: Flag::long("host-key", "the agents' host key for ssh (mode 0600)").with_value("FILE"),
        apply: |plan, value| set_path(&mut plan.keys.host_key, value),
    },
    ValueOption {
        flag: Flag::long("authorized-keys", "over ssh, accept clients with one of these keys, under any user name").with_value("FILE"),
        apply: |plan, value| set_path(&mut plan.keys.authorized_keys, value),
    },
    ValueOption {
        flag: Flag::long("loss", "lose PERCENT of the messages in each direction, over udp and dtls").with_value("PERCENT"),
        apply: |plan, value| set_percentage(&mut plan.conditions.loss, value),
    },
    ValueOption {
        flag: Flag::long("duplicate", "duplicate PERCENT of the responses, over udp").with_value("PERCENT"),
        apply: |plan, value| set_percentage(&mut plan.conditions.duplicate, value),
    },
    ValueOption {
        flag: Flag::long("reorder", "delay PERCENT of the responses by 20 ms, so that later responses arrive first, over udp and dtls").with_value("PERCENT"),
        apply: |plan, value| set_percentage(&mut plan.conditions.reorder, value),
    },
    ValueOption {
        flag: Flag::long("delay", "delay every response by MILLISECONDS").with_value("MILLISECONDS"),
        apply: |plan, value| set_time(&mut plan.conditions.delay, value),
    },
    ValueOption {
        flag: Flag::long("jitter", "maximum additional delay of a response").with_value("MILLISECONDS"),
        apply: |plan, value| set_time(&mut plan.conditions.jitter, value),
    },
    ValueOption {
        flag: Flag::long("max-response", "maximum size of responses, 484 to 16384: a longer GetBulk response is truncated, and any other is replaced by tooBig (default 16384)").with_value("OCTETS"),
        apply: |plan, value| {
            plan.max_response =
                value.parse().ok().filter(|octets| (MIN_RESPONSE..=MAX_RESPONSE).contains(octets))?;
            Some(())
        },
    },
    ValueOption {
        flag: Flag::long("reset-clock", "restart agents at this interval with unchanged snmpEngineBoots; managers notice the restarts only if the interval is 150 s or more").with_value("SECONDS"),
        apply: |plan, value| {
            plan.reset_clock = Some(Duration::from_secs(value.parse().ok().filter(|seconds| *seconds > 0)?));
            Some(())
        },
    },
    ValueOption {
        flag: Flag::long("seed", "random seed; the same seed and thread count reproduce the same faults (default 1)").with_value("NUMBER"),
        apply: |plan, value| {
            plan.seed = value.parse().ok()?;
            Some(())
        },
    },
    ValueOption {
        flag: Flag::long("threads", "number of threads that share the agents (default one per core)").with_value("N"),
        apply: |plan, value| {
            plan.threads = Some(value.parse().ok().filter(|threads| *threads <= MAX_THREADS)?);
            Some(())
        },
    },
];

/// Parses a listener of the form `TRANSPORT:ADDRESS:PORT`.
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
/// The maximum number of threads. It is larger than the number of cores of any machine.
const MAX_THREADS: NonZeroUsize = NonZeroUsize::MIN.saturating_add(1023);
/// The smallest value of the maximum response size: every engine must accept messages of this size
/// (RFC 3417 §3.2.1).
const MIN_RESPONSE: usize = 484;
/// The maximum delay in milliseconds: one hour.
const MAX_DELAY_MS: u64 = 3_600_000;
