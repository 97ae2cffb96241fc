//! Every option, defined once.

use std::{net::SocketAddr, num::NonZeroUsize, path::PathBuf, time::Duration};

use portreeve_transport::{Listener, Protocol};
use portreeve_usage::Flag;

use super::{By, MAX_ANSWER, Plan, Share};

/// One option, which always has a value.
pub(super) struct Opt {
    pub(super) flag: Flag,
    pub(super) take: fn(&mut Plan, &str) -> Option<()>,
}

/// Every option that says what is simulated.
pub(super) const OPTIONS: &[Opt] = &[
    Opt {
        flag: Flag::long("listen", "where the first agent listens: udp, tcp, ssh, tls or dtls; may be repeated (udp:127.0.0.1:1161)").with("TRANSPORT:ADDRESS:PORT"),
        take: |plan, value| {
            plan.listen.push(listener(value)?);
            Some(())
        },
    },
    Opt {
        flag: Flag::long("by", "each agent has the next address, the next port (this), or is a context and community of one engine").with("address|port|context"),
        take: |plan, value| {
            plan.by = match value {
                "address" => By::Address,
                "port" => By::Port,
                "context" => By::Context,
                _ => return None,
            };
            Some(())
        },
    },
    Opt {
        flag: Flag::long("agents", "how many; they play the files in turn (one for each file)").with("N"),
        take: |plan, value| {
            plan.agents = Some(value.parse().ok().filter(|agents| (1..=MOST_AGENTS).contains(agents))?);
            Some(())
        },
    },
    Opt {
        flag: Flag::long("community", "what SNMPv1 and v2c have to say (public)").with("NAME"),
        take: |plan, value| {
            plan.community = Some(value).filter(|value| !value.is_empty())?.into();
            Some(())
        },
    },
    Opt {
        flag: Flag::long("users", "SNMPv3's users, one a line: NAME [AUTH PASSPHRASE [PRIV PASSPHRASE]]").with("FILE"),
        take: |plan, value| {
            plan.users = Some(value.into());
            Some(())
        },
    },
    Opt {
        flag: Flag::long("keys", "keys and certificates for ssh, tls and dtls; made where DIR has none, and how to ask with them is told").with("DIR"),
        take: |plan, value| set_path(&mut plan.keys.folder, value),
    },
    Opt {
        flag: Flag::long("certificate", "the agents' certificate over tls and dtls (PEM)").with("FILE"),
        take: |plan, value| set_path(&mut plan.keys.certificate, value),
    },
    Opt {
        flag: Flag::long("key", "its private key (PEM, mode 0600); the certificate's own file unless told").with("FILE"),
        take: |plan, value| set_path(&mut plan.keys.key, value),
    },
    Opt {
        flag: Flag::long("ca", "over tls and dtls, whoever has a certificate of this authority (PEM) may ask").with("FILE"),
        take: |plan, value| set_path(&mut plan.keys.authority, value),
    },
    Opt {
        flag: Flag::long("host-key", "the agents' key over ssh (mode 0600)").with("FILE"),
        take: |plan, value| set_path(&mut plan.keys.host_key, value),
    },
    Opt {
        flag: Flag::long("authorized-keys", "over ssh, whoever has one of these keys may ask, under any name").with("FILE"),
        take: |plan, value| set_path(&mut plan.keys.authorized_keys, value),
    },
    Opt {
        flag: Flag::long("loss", "messages that are lost, each way, over udp and dtls").with("PERCENT"),
        take: |plan, value| set_share(&mut plan.conditions.loss, value),
    },
    Opt {
        flag: Flag::long("duplicate", "answers that arrive twice, over udp").with("PERCENT"),
        take: |plan, value| set_share(&mut plan.conditions.duplicate, value),
    },
    Opt {
        flag: Flag::long("disorder", "answers held back by 20 ms, so that later ones overtake them, over udp and dtls").with("PERCENT"),
        take: |plan, value| set_share(&mut plan.conditions.disorder, value),
    },
    Opt {
        flag: Flag::long("delay", "how long every answer takes").with("MILLISECONDS"),
        take: |plan, value| set_time(&mut plan.conditions.delay, value),
    },
    Opt {
        flag: Flag::long("jitter", "how much longer an answer may take").with("MILLISECONDS"),
        take: |plan, value| set_time(&mut plan.conditions.jitter, value),
    },
    Opt {
        flag: Flag::long("max-answer", "the longest answer, 484 to 16384: longer bulks are cut short, longer gets are tooBig (16384)").with("OCTETS"),
        take: |plan, value| {
            plan.max_answer =
                value.parse().ok().filter(|octets| (MIN_ANSWER..=MAX_ANSWER).contains(octets))?;
            Some(())
        },
    },
    Opt {
        flag: Flag::long("forget-boots", "agents restart this often with the snmpEngineBoots they had; seen by managers from 150 s on").with("SECONDS"),
        take: |plan, value| {
            plan.forget_boots = Some(Duration::from_secs(value.parse().ok().filter(|seconds| *seconds > 0)?));
            Some(())
        },
    },
    Opt {
        flag: Flag::long("seed", "where chance begins: the same number, the same faults (1)").with("NUMBER"),
        take: |plan, value| {
            plan.seed = value.parse().ok()?;
            Some(())
        },
    },
    Opt {
        flag: Flag::long("threads", "how many share the agents out among them (one for each core)").with("N"),
        take: |plan, value| {
            plan.threads = Some(value.parse().ok().filter(|threads| *threads <= MOST_THREADS)?);
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

fn set_share(share: &mut Share, text: &str) -> Option<()> {
    *share = Share::percent(text.parse().ok()?)?;
    Some(())
}

fn set_time(time: &mut Duration, text: &str) -> Option<()> {
    *time = Duration::from_millis(text.parse().ok().filter(|milliseconds| *milliseconds <= LONGEST_MS)?);
    Some(())
}

const MOST_AGENTS: usize = 1_000_000;
/// More than any machine has cores.
const MOST_THREADS: NonZeroUsize = NonZeroUsize::MIN.saturating_add(1023);
/// The least that every engine takes (RFC 3417 §3.2.1).
const MIN_ANSWER: usize = 484;
/// An hour.
const LONGEST_MS: u64 = 3_600_000;
