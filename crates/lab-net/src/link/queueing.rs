//! Loss, rate and delay that the kernel produces: queueing disciplines at the ports of the
//! observer's bridge, and rules of nftables in the bridge.

use super::{Link, LinkMethods, Loss, MAX_DELAYED_FRAMES, Method};
use crate::error::{NetError, Result};
use crate::place::Place;
use crate::program::Program;
use crate::topology::{AGENT_PORT, MANAGER_PORT};

/// Returns true if the kernel has netem.
pub(super) fn has_netem(observer: &Place) -> Result<bool> {
    let add = ["qdisc", "add", "dev", AGENT_PORT, "root", "netem", "delay", "0ms"];
    match Program::Tc.run(observer, &add, "") {
        Ok(_) => Program::Tc.run(observer, &["qdisc", "delete", "dev", AGENT_PORT, "root"], "").map(|_| true),
        Err(error) if is_unknown(&error) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Sets the rate, and with `netem` also loss and delay, at both ports. A port queues the frames
/// that leave the bridge.
pub(super) fn set(observer: &Place, link: &Link, netem: bool) -> Result<()> {
    let mut commands = Vec::new();
    for (port, loss) in [(AGENT_PORT, link.loss.to_agent), (MANAGER_PORT, link.loss.to_manager)] {
        let mut parent = "root".to_owned();
        if netem {
            let delay = link.delay.unwrap_or_default().as_micros();
            commands.push(format!(
                "qdisc add dev {port} {parent} handle 1: netem limit {MAX_DELAYED_FRAMES} delay {delay}us loss {}%",
                loss * 100.0
            ));
            parent = "parent 1:1".to_owned();
        }
        if let Some(rate) = link.rate {
            let burst = (rate / 8 / BURSTS_PER_SECOND).max(MIN_BURST);
            commands.push(format!(
                "qdisc add dev {port} {parent} handle 10: tbf rate {rate}bit burst {burst} latency {QUEUE}"
            ));
        }
    }
    Program::Tc.run(observer, &["-batch", "-"], &commands.join("\n")).map(drop).map_err(|error| {
        if is_unknown(&error) {
            NetError::Unavailable("the kernel has no token bucket filter (sch_tbf)".to_owned())
        } else {
            error
        }
    })
}

/// Drops frames at random in the bridge.
pub(super) fn set_nftables(observer: &Place, loss: Loss) -> Result<()> {
    let mut rules = format!(
        "table bridge {TABLE} {{\n chain forward {{\n  type filter hook forward priority 0; policy accept;\n"
    );
    for (port, loss) in [(MANAGER_PORT, loss.to_agent), (AGENT_PORT, loss.to_manager)] {
        let threshold = (loss * f64::from(NUMBERS)).round();
        if threshold < 1.0 {
            continue;
        }
        // A comparison that is always true is rejected.
        let always = threshold >= f64::from(NUMBERS);
        let condition =
            if always { String::new() } else { format!("numgen random mod {NUMBERS} < {threshold} ") };
        rules += &format!("  iifname \"{port}\" {condition}counter drop\n");
    }
    rules += " }\n}\n";
    Program::Nft.run(observer, &["-f", "-"], &rules).map(drop).map_err(|error| match error {
        NetError::Failed(reason) if reason.contains("Could not process rule") => NetError::Unavailable(
            format!("the kernel has neither netem nor rules of nftables with random numbers: {reason}"),
        ),
        other => other,
    })
}

/// Removes everything that was set by these methods.
pub(super) fn remove(observer: &Place, methods: LinkMethods) -> Result<()> {
    let has_queues = methods.rate.is_some() || [methods.loss, methods.delay].contains(&Some(Method::Netem));
    if has_queues {
        for port in [AGENT_PORT, MANAGER_PORT] {
            Program::Tc.run(observer, &["qdisc", "delete", "dev", port, "root"], "")?;
        }
    }
    if methods.loss == Some(Method::Nftables) {
        Program::Nft.run(observer, &["delete", "table", "bridge", TABLE], "")?;
    }
    Ok(())
}

fn is_unknown(error: &NetError) -> bool {
    ["qdisc kind is unknown", "No such file"].iter().any(|text| error.reason().contains(text))
}

/// The name of the table of nftables.
pub(super) const TABLE: &str = "lab";

/// The range of random numbers: the probability of loss has a resolution of a millionth.
const NUMBERS: u32 = 1_000_000;

/// A token bucket holds the tokens of this part of a second, at least those of four frames.
const BURSTS_PER_SECOND: u64 = 200;
const MIN_BURST: u64 = 4 * 1514;

/// The longest time for which a frame waits for tokens.
const QUEUE: &str = "200ms";
