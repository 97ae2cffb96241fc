//! The conversations as a table, or as JSON.

use std::io;

use portreeve_table::Table;
use serde::Serialize;

use super::Analysis;
use super::conversation::Conversation;
use crate::error::Result;
use crate::frame_counts::FrameCounts;

/// Returns a table for people.
pub(super) fn text(analysis: &Analysis) -> String {
    let headings = [
        "conversation",
        "frames",
        "octets",
        "later fragments",
        "requests",
        "responses",
        "transactions",
        "seconds",
    ];
    let mut table = Table::new(1, &headings);
    for conversation in &analysis.conversations {
        let row = Row::new(conversation);
        let [requests, responses, transactions] = match &row.snmp {
            Some(snmp) => [snmp.requests, snmp.responses, snmp.transactions].map(|count| count.to_string()),
            None => Default::default(),
        };
        table.add_row(vec![
            format!("{} {} > {}", row.protocol, row.client, row.server),
            row.frames.to_string(),
            row.octets.to_string(),
            row.later_fragments.to_string(),
            requests,
            responses,
            transactions,
            format!("{:.6}", row.seconds),
        ]);
    }
    let FrameCounts { frames, octets, .. } = analysis.other;
    let other = match frames {
        0 => String::new(),
        _ => format!("Frames of no conversation: {frames} with {octets} octets\n"),
    };
    let table = table.fitted(portreeve_table::line_width(io::stdout()));
    format!(
        "{table}{other}Octets are those of whole frames with all fragments. The client has sent the first packet. \
         Requests and responses are counted for SNMP with a readable header. If a capture begins within a connection, or \
         lacks segments, they are counted from the next segment that begins with a message.\n"
    )
}

/// Returns JSON for programs.
pub(super) fn json(analysis: &Analysis) -> Result<String> {
    let conversations = analysis.conversations.iter().map(Row::new).collect();
    let FrameCounts { frames, octets, .. } = analysis.other;
    let report = Report { conversations, other: Other { frames, octets } };
    Ok(serde_json::to_string_pretty(&report)? + "\n")
}

#[derive(Serialize)]
struct Report {
    conversations: Vec<Row>,
    /// Frames of no conversation.
    other: Other,
}

#[derive(Serialize)]
struct Other {
    frames: u64,
    octets: u64,
}

#[derive(Serialize)]
struct Row {
    protocol: &'static str,
    client: String,
    server: String,
    frames: u64,
    octets: u64,
    frames_to_server: u64,
    octets_to_server: u64,
    frames_to_client: u64,
    octets_to_client: u64,
    /// Octets of TCP or UDP with their headers.
    transport_octets: u64,
    /// Fragments without a header of TCP or UDP.
    later_fragments: u64,
    /// The octets of TCP or UDP that remain without these fragments.
    transport_octets_without_later_fragments: u64,
    seconds: f64,
    /// `null` without readable messages.
    snmp: Option<Snmp>,
}

#[derive(Serialize)]
struct Snmp {
    messages: u64,
    requests: u64,
    responses: u64,
    transactions: u64,
}

impl Row {
    fn new(conversation: &Conversation) -> Self {
        let Conversation { endpoints, to_server, to_client, exchanges, .. } = conversation;
        let sum = |value: fn(&FrameCounts) -> u64| value(to_server) + value(to_client);
        let frames = sum(|counts| counts.frames);
        Self {
            protocol: endpoints.protocol_name(),
            client: endpoints.client.to_string(),
            server: endpoints.server.to_string(),
            frames,
            octets: sum(|counts| counts.octets),
            frames_to_server: to_server.frames,
            octets_to_server: to_server.octets,
            frames_to_client: to_client.frames,
            octets_to_client: to_client.octets,
            transport_octets: sum(|counts| counts.transport_octets),
            later_fragments: frames - sum(|counts| counts.frames_with_ports),
            transport_octets_without_later_fragments: sum(|counts| counts.transport_octets_with_ports),
            seconds: conversation.duration().as_secs_f64(),
            snmp: (exchanges.messages > 0).then_some(Snmp {
                messages: exchanges.messages,
                requests: exchanges.requests,
                responses: exchanges.responses,
                transactions: exchanges.transactions,
            }),
        }
    }
}
