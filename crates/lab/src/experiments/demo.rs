//! `demo`: an agent on loopback with keys of its own, this machine's interfaces read over every transport and
//! security level there is, and what each of them costs.

mod cost;
mod walk;
mod ways;

use std::env;
use std::io;
use std::path::Path;

use crate::daemon::Demo;
use crate::failure::Result;
use crate::process::sibling;
use crate::scratch::Scratch;
use crate::table::{Table, grouped};

use cost::Cost;
use walk::walk;
use ways::Way;

/// Starts the agent, prints two tables, stops the agent, and says how to go on.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    if !arguments.is_empty() {
        return Err("demo takes no arguments".into());
    }
    let (portreeve, portreeved) = (sibling("portreeve")?, sibling("portreeved")?);
    let scratch = Scratch::new()?;
    let demo = Demo::start(&portreeved, &scratch.0.join("agent"))?;
    let ways = ways::all(&demo)?;
    show_interfaces(&portreeve, &ways)?;
    show_costs(&portreeve, &ways)?;
    demo.stop()?;
    show_what_is_next(&portreeve, &portreeved);
    Ok(())
}

fn show_interfaces(portreeve: &Path, ways: &[Way]) -> Result<()> {
    let way = ways.iter().find(|way| way.transport == "ssh").ok_or("there is no way to the agent")?;
    let walk = walk(portreeve, way)?;
    println!("IF-MIB::ifTable of this machine, from {}\n", way.address);
    let mut table = Table::new(3, &COLUMNS.map(|(name, _)| name)).drops(&[3, 2, 5, 4]);
    for index in walk.objects.iter().filter_map(|(name, _)| name.strip_prefix(INDEX_COLUMN)) {
        let cell = |column: u32| {
            let name = format!("{ENTRY}.{column}.{index}");
            walk.objects
                .iter()
                .find(|(found, _)| *found == name)
                .map_or(String::new(), |(_, value)| value.clone())
        };
        table.row(COLUMNS.map(|(_, column)| cell(column)).into());
    }
    println!("{}", table.fitted(portreeve_table::width_of(io::stdout())));
    Ok(())
}

fn show_costs(portreeve: &Path, ways: &[Way]) -> Result<()> {
    let costs: Vec<Cost> = ways.iter().map(|way| Cost::of(portreeve, way)).collect::<Result<Vec<_>>>()?;
    let objects = costs.first().map_or(0.0, |cost| cost.objects);
    // Where the system does not count frames, there is nothing to show of them.
    let counts_frames = costs.iter().all(|cost| cost.frames.is_some());
    println!("The same {objects} objects by GETNEXT over every transport, and what each costs.\n");
    let mut head = vec!["transport", "security", "as", "first", "walk", "µs each"];
    if counts_frames {
        head.extend(["packets", "bytes", "bytes each"]);
    }
    let mut table = Table::new(3, &head).drops(&[8, 2, 6]);
    for (way, cost) in ways.iter().zip(&costs) {
        let mut row = vec![
            way.transport.to_owned(),
            cost.protocol
                .as_ref()
                .map_or(way.security.clone(), |protocol| format!("{protocol}, {}", way.security)),
            way.known_as.clone(),
            format!("{:.1} ms", cost.first * 1e3),
            format!("{:.1} ms", cost.walk * 1e3),
            format!("{:.0}", cost.walk * 1e6 / cost.objects),
        ];
        if let Some(frames) = cost.frames.as_ref().filter(|_| counts_frames) {
            row.extend([
                grouped(frames.packets),
                grouped(frames.octets),
                format!("{:.0}", frames.octets / cost.objects),
            ]);
        }
        table.row(row);
    }
    println!("{}", table.fitted(portreeve_table::width_of(io::stdout())));
    println!(
        "`first` is a whole command that asks for one value, with discovery or the\n\
         session's handshake; `walk` is from the first request to the last answer,\n\
         `each` a walk's share for one object. Each figure is the least of {}.",
        cost::ROUNDS
    );
    if counts_frames {
        println!(
            "Packets and bytes are a walk's, handshake included, as whole frames of the\n\
             loopback interface."
        );
    }
    println!();
    Ok(())
}

/// The agent has gone: how to have one that stays, and what to ask it.
fn show_what_is_next(portreeve: &Path, portreeved: &Path) {
    let (portreeve, portreeved) = (as_typed(portreeve), as_typed(portreeved));
    let directory = env::temp_dir().join("portreeve-demo");
    let directory = directory.display();
    println!(
        "Next: an agent that stays, asked with an SSH key.\n\n    \
         {portreeved} demo --dir {directory} &\n    \
         . {directory}/credentials.env\n    \
         export PORTREEVE_SSH_KEY PORTREEVE_KNOWN_HOSTS\n    \
         {portreeve} table ssh://$PORTREEVE_SSH_USER@$PORTREEVE_SSH ifTable"
    );
}

/// A program as one would type it here.
fn as_typed(program: &Path) -> String {
    let here = env::current_dir().ok();
    let below = here.as_ref().and_then(|here| program.strip_prefix(here).ok());
    below.unwrap_or(program).display().to_string()
}

/// IF-MIB::ifEntry and its ifIndex column.
const ENTRY: &str = ".1.3.6.1.2.1.2.2.1";
const INDEX_COLUMN: &str = ".1.3.6.1.2.1.2.2.1.1.";

/// The columns of ifTable that are shown: what a person looks for.
const COLUMNS: [(&str, u32); 9] = [
    ("ifIndex", 1),
    ("ifDescr", 2),
    ("ifType", 3),
    ("ifMtu", 4),
    ("ifSpeed", 5),
    ("ifPhysAddress", 6),
    ("ifOperStatus", 8),
    ("ifInOctets", 10),
    ("ifOutOctets", 16),
];
