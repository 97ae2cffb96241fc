//! `analyse FILE`: the conversations in a capture file, with their frames, octets, and exchanges of
//! SNMP.
//!
//! ```text
//! file ─ PcapReader ─▶ frame ─ FragmentPorts ─▶ conversation: FrameCounts of both directions
//!                  stream or datagram ─▶ SnmpHeader ─▶ Exchanges ◀──┘
//! ```
//! A capture may come from anywhere: headers are checked, at most [`MAX_CONVERSATIONS`]
//! conversations are kept, and of a message only the header is read. All fragments of a packet are
//! counted with its conversation. Nothing is decrypted: exchanges are counted if messages of SNMP
//! are in cleartext, or have a cleartext header as with the User-based Security Model.

mod conversation;
mod exchanges;
mod print;
mod snmp;
mod stream;

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{BufReader, Read};
use std::net::IpAddr;
use std::path::Path;
use std::time::Duration;

use portreeve_lab_net::pcap::{PcapError, PcapFrame, PcapReader};
use portreeve_lab_net::{FragmentPorts, Packet, Transport};
use portreeve_usage::Flag;

use crate::error::{Context, Result};
use crate::frame_counts::FrameCounts;
use crate::options::Options;
use conversation::{Conversation, Endpoints};

/// Prints the conversations of a capture file.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let options = Options::parse_flags(arguments, OPTIONS)?;
    let [file] = options.plain.as_slice() else { return Err(crate::commands::usage_error("analyse")) };
    let path = Path::new(file);
    let input = BufReader::new(File::open(path).context(path.display())?);
    let analysis = Analysis::read(input).context(path.display())?;
    print!("{}", if options.has("json") { print::json(&analysis)? } else { print::text(&analysis) });
    Ok(())
}

/// The times of the requests of SNMP between each pair of a manager and an agent, in order.
pub(crate) fn request_times(path: &Path) -> Result<BTreeMap<(IpAddr, IpAddr), Vec<Duration>>> {
    let input = BufReader::new(File::open(path).context(path.display())?);
    let analysis = Analysis::read(input).context(path.display())?;
    let mut pairs: BTreeMap<(IpAddr, IpAddr), Vec<Duration>> = BTreeMap::new();
    for Conversation { endpoints, exchanges, .. } in analysis.conversations {
        if !exchanges.request_times.is_empty() {
            let pair = (endpoints.client.ip(), endpoints.server.ip());
            pairs.entry(pair).or_default().extend(exchanges.request_times);
        }
    }
    pairs.values_mut().for_each(|times| times.sort_unstable());
    Ok(pairs)
}

/// The conversations of a capture file.
#[derive(Default)]
struct Analysis {
    /// In the order of their first frames.
    conversations: Vec<Conversation>,
    index: HashMap<Endpoints, usize>,
    fragments: FragmentPorts,
    /// Frames that belong to no conversation: other protocols, fragments whose first one is
    /// missing, and frames of further conversations.
    other: FrameCounts,
}

impl Analysis {
    /// Reads a whole file.
    fn read(file: impl Read) -> std::result::Result<Self, PcapError> {
        let mut file = PcapReader::new(file)?;
        let mut analysis = Self::default();
        while let Some(frame) = file.next_frame()? {
            analysis.add(&frame);
        }
        Ok(analysis)
    }

    fn add(&mut self, frame: &PcapFrame<'_>) {
        let packet = frame.decode().ok();
        let known = packet.and_then(|packet| Some((packet, self.conversation(&packet)?)));
        let Some((packet, position)) = known else { return self.other.add(packet.as_ref(), frame.length) };
        if let Some(conversation) = self.conversations.get_mut(position) {
            conversation.add(frame, &packet);
        }
    }

    /// Returns the position of a packet's conversation, which is created if it is new.
    fn conversation(&mut self, packet: &Packet) -> Option<usize> {
        let protocol = match packet.transport {
            Transport::Tcp(_) => TCP,
            Transport::Udp { .. } => UDP,
            Transport::LaterFragment { protocol } => protocol,
            Transport::Other { .. } => return None,
        };
        let (source, destination) = self.fragments.ports(packet)?;
        let endpoints = Endpoints {
            protocol,
            client: (packet.source, source).into(),
            server: (packet.destination, destination).into(),
        };
        // A segment that confirms a connection comes from the server.
        let is_answer = matches!(packet.transport, Transport::Tcp(tcp) if tcp.flags.syn() && tcp.flags.ack());
        for known in [endpoints, endpoints.swapped()] {
            if let Some(position) = self.index.get(&known) {
                return Some(*position);
            }
        }
        if self.conversations.len() >= MAX_CONVERSATIONS {
            return None;
        }
        let endpoints = if is_answer { endpoints.swapped() } else { endpoints };
        let position = self.conversations.len();
        self.index.insert(endpoints, position);
        self.conversations.push(Conversation::new(endpoints));
        Some(position)
    }
}

/// The options of `lab analyse`.
pub(crate) const OPTIONS: &[Flag] = &[Flag::long("json", "print the conversations as JSON")];

/// The maximum number of conversations that are kept.
const MAX_CONVERSATIONS: usize = 100_000;

/// Protocol numbers.
const TCP: u8 = 6;
const UDP: u8 = 17;

#[cfg(test)]
mod tests;
