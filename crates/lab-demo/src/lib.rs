//! `make demo`: starts an agent on loopback, reads this machine's interfaces over every transport
//! and security level, compares the costs, edits an object by NETCONF that SNMP shows, and receives
//! a notification over SSH.
//!
//! The lab measures with the same parts: the demo's agent, child processes, the NETCONF client, and
//! the error type. They are here so that the demo is built without the lab.

pub mod access_methods;
pub mod agent;
pub mod cost;
pub mod error;
pub mod frames;
pub mod interrupt;
mod netconf;
pub mod netconf_client;
mod notification;
pub mod ports;
pub mod process;
mod walk;

use std::env;
use std::io;
use std::path::Path;

use portreeve_lab_net::{Cleaner, ScratchDirectory};
use portreeve_table::{Table, grouped};

use access_methods::AccessMethod;
use agent::Demo;
use cost::Cost;
use error::Result;
use frames::FrameCounter;
use notification::StoppedDemo;
use process::own_program;
use walk::walk;

/// Starts the agent, prints two tables, an edit by NETCONF and a notification, stops the agent, and
/// prints the next steps.
///
/// # Errors
/// A program is missing, or fails.
pub fn run() -> Result<()> {
    interrupt::clean_up_when_interrupted()?;
    let (portreeve, portreeved) = (own_program("portreeve")?, own_program("portreeved")?);
    let trapd = own_program("portreeve-trapd")?;
    let scratch = ScratchDirectory::new(&Cleaner::start_own()?)?;
    let directory = scratch.path().join("agent");
    let demo = Demo::start(&portreeved, &directory)?;
    let access_methods = access_methods::all(&demo)?;
    print_interfaces(&portreeve, &access_methods)?;
    print_costs(&portreeve, &access_methods)?;
    netconf::run(&portreeve, &demo, over_ssh(&access_methods)?)?;
    notification::run(&portreeved, &trapd, &StoppedDemo::stop(demo, &directory)?)?;
    print_next_steps(&portreeve, &portreeved);
    Ok(())
}

fn print_interfaces(portreeve: &Path, access_methods: &[AccessMethod]) -> Result<()> {
    let method = over_ssh(access_methods)?;
    let walk = walk(portreeve, method)?;
    println!("IF-MIB::ifTable of this machine, from {}\n", method.address);
    let mut table = Table::new(3, &COLUMNS.map(|(name, _)| name)).droppable(&[3, 2, 5, 4]);
    for index in walk.objects.iter().filter_map(|(name, _)| name.strip_prefix(INDEX_COLUMN)) {
        let cell = |column: u32| {
            let name = format!("{ENTRY}.{column}.{index}");
            walk.objects
                .iter()
                .find(|(found, _)| *found == name)
                .map_or(String::new(), |(_, value)| value.clone())
        };
        table.add_row(COLUMNS.map(|(_, column)| cell(column)).into());
    }
    println!("{}", table.fitted(portreeve_table::line_width(io::stdout())));
    Ok(())
}

fn over_ssh(access_methods: &[AccessMethod]) -> Result<&AccessMethod> {
    let method = access_methods.iter().find(|method| method.transport == "ssh");
    Ok(method.ok_or("the demo has no SSH address")?)
}

fn print_costs(portreeve: &Path, access_methods: &[AccessMethod]) -> Result<()> {
    let costs: Vec<Cost> =
        access_methods.iter().map(|method| Cost::of(portreeve, method)).collect::<Result<Vec<_>>>()?;
    let objects = costs.first().map_or(0.0, |cost| cost.objects);
    // If the system does not count frames, the columns for them are omitted.
    let counts_frames = costs.iter().all(|cost| cost.frames.is_some());
    println!("The costs of reading the same {objects} objects by GETNEXT over every transport.\n");
    let mut head = vec!["transport", "security", "user", "first", "walk", "µs each"];
    if counts_frames {
        head.extend(["packets", "bytes", "bytes each"]);
    }
    let mut table = Table::new(3, &head).droppable(&[8, 2, 6]);
    for (method, cost) in access_methods.iter().zip(&costs) {
        let mut row = vec![
            method.transport.to_owned(),
            cost.protocol
                .as_ref()
                .map_or(method.security.clone(), |protocol| format!("{protocol}, {}", method.security)),
            method.security_name.clone(),
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
        table.add_row(row);
    }
    println!("{}", table.fitted(portreeve_table::line_width(io::stdout())));
    println!(
        "`first` is a whole command that reads one value, including discovery or the\n\
         session handshake; `walk` is from the first request to the last response,\n\
         `each` is the walk's time per object. Each figure is the minimum of {} runs.",
        cost::ROUNDS
    );
    if counts_frames {
        println!(
            "Packets and bytes are those of a walk with its handshake, as whole frames of the\n\
             loopback interface."
        );
        if FrameCounter::includes_other_programs() {
            println!("They include those of other programs at the same time; as root, they do not.");
        }
    }
    if cfg!(debug_assertions) {
        println!(
            "These programs are not optimized, so that they are built soon: `make build` builds fast ones."
        );
    }
    println!();
    Ok(())
}

/// Prints how to start an agent that keeps running, and how to query it.
fn print_next_steps(portreeve: &Path, portreeved: &Path) {
    let (portreeve, portreeved) = (as_typed(portreeve), as_typed(portreeved));
    let directory = env::temp_dir().join("portreeve-demo");
    let directory = directory.display();
    println!(
        "Next: start an agent that keeps running, and query it with an SSH key.\n\n    \
         {portreeved} demo --dir {directory} &\n    \
         . {directory}/credentials.env\n    \
         export PORTREEVE_SSH_KEY PORTREEVE_KNOWN_HOSTS\n    \
         {portreeve} table ssh://$PORTREEVE_SSH_USER@$PORTREEVE_SSH ifTable"
    );
}

/// Returns a program's path relative to the current directory if possible.
fn as_typed(program: &Path) -> String {
    let here = env::current_dir().ok();
    let below = here.as_ref().and_then(|here| program.strip_prefix(here).ok());
    below.unwrap_or(program).display().to_string()
}

/// IF-MIB::ifEntry and its ifIndex column.
const ENTRY: &str = ".1.3.6.1.2.1.2.2.1";
const INDEX_COLUMN: &str = ".1.3.6.1.2.1.2.2.1.1.";

/// The columns of ifTable to display.
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
