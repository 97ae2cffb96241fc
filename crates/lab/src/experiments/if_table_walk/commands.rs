//! Whole commands that walk ifTable: ours and Net-SNMP's.

use portreeve_lab_report::sample::Variant;

use super::variants::{IF_TABLE_OBJECT, Work, WorkKind, base, has_commands};
use super::{COLUMNS, OURS, SizedSite};
use crate::client::{Carrier, ProtocolStack};
use crate::error::Result;
use crate::harness::{Peer, Skipped};
use crate::peers::net_snmp;
use crate::process::own_program;

/// Adds the commands that the installed programs allow.
pub(super) fn add(
    sites: &[SizedSite],
    works: &mut Vec<Work>,
    unavailable: &mut Vec<(Variant, Skipped)>,
) -> Result<()> {
    let stack = ProtocolStack::v2c(Carrier::Udp);
    // In a full run, the agents with the paper's rows; in a quick run, those with most rows.
    let most = sites.iter().filter(|site| has_commands(site)).map(|site| site.rows).max();
    for (index, site) in
        sites.iter().enumerate().filter(|(_, site)| has_commands(site) && Some(site.rows) == most)
    {
        let credentials = site.site.credentials();
        let (address, community) = (credentials.get("UDP")?, credentials.get("RO")?);
        let ours = |options: &[&str]| -> std::result::Result<Vec<String>, Skipped> {
            let program = own_program("portreeve")?.display().to_string();
            let words = [program.as_str(), "walk", "-On"].into_iter().chain(options.iter().copied());
            let words = words.chain(["-v2c", "-c", community, address, IF_TABLE]);
            Ok(words.map(str::to_owned).collect())
        };
        let mut commands = vec![(WALK, ours(&[])), (ONE_BY_ONE, ours(&["--one-by-one"]))];
        if site.agent == Peer::NetSnmp.name() {
            commands.extend([
                (SNMPWALK, net_snmp::command("snmpwalk", stack, credentials, IF_TABLE)),
                (SNMPBULKWALK, net_snmp::command("snmpbulkwalk", stack, credentials, IF_TABLE)),
            ]);
        }
        for (client, words) in commands {
            let variant =
                base(site).and("client", client).and("object", IF_TABLE_OBJECT).and("stack", stack.id());
            let lines = site.rows * COLUMNS as usize;
            match words {
                Ok(words) => works.push(Work {
                    variant,
                    site: index,
                    variables: None,
                    kind: WorkKind::Command { words, lines },
                }),
                Err(reason) => unavailable.push((variant, reason)),
            }
        }
    }
    Ok(())
}

/// The rows of the table of commands: the agent, the setting and the client.
pub(super) const ROWS: [(&str, &str, &str); 8] = [
    (OURS, "pinned", WALK),
    (OURS, "unpinned", WALK),
    (OURS, "pinned", ONE_BY_ONE),
    (OURS, "unpinned", ONE_BY_ONE),
    ("net-snmp", "pinned", WALK),
    ("net-snmp", "pinned", ONE_BY_ONE),
    ("net-snmp", "pinned", SNMPWALK),
    ("net-snmp", "pinned", SNMPBULKWALK),
];

const WALK: &str = "portreeve walk";
const ONE_BY_ONE: &str = "portreeve walk --one-by-one";
const SNMPWALK: &str = "snmpwalk";
const SNMPBULKWALK: &str = "snmpbulkwalk";
const IF_TABLE: &str = ".1.3.6.1.2.1.2.2";
