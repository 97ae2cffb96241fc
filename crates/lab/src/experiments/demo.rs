//! `demo`: an agent on loopback with keys of its own, this machine's interfaces read over every transport and
//! security level there is, and what each of them costs.

use std::path::Path;
use std::process::Command;

use crate::daemon::{Demo, User};
use crate::failure::Result;
use crate::process::sibling;
use crate::scratch::Scratch;
use crate::table::{Table, grouped};

/// Starts the agent, prints two tables, stops the agent.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    if !arguments.is_empty() {
        return Err("demo takes no arguments".into());
    }
    let portreeve = sibling("portreeve")?;
    let scratch = Scratch::new()?;
    let demo = Demo::start(&sibling("portreeved")?, &scratch.0.join("agent"))?;
    show_interfaces(&portreeve, &demo)?;
    show_costs(&portreeve, &demo)?;
    demo.stop()
}

fn show_interfaces(portreeve: &Path, demo: &Demo) -> Result<()> {
    let address = demo.env("PORTREEVE_UDP")?;
    let walk = walk(portreeve, &by_community("2c", demo)?, address)?;
    println!("IF-MIB::ifTable of this machine, from udp:{address}\n");
    let mut table = Table::new(3, &COLUMNS.map(|(name, _)| name));
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
    println!("{}", table.render());
    Ok(())
}

fn show_costs(portreeve: &Path, demo: &Demo) -> Result<()> {
    println!(
        "The same table by GETNEXT, over every transport and security level; the quickest of {WALKS} walks"
    );
    println!(
        "(messages and bytes: SNMP messages of the walk both ways, without the headers of IP, UDP and TCP)\n"
    );
    let mut table = Table::new(
        2,
        &["transport", "security", "objects", "ms", "µs/object", "messages", "bytes", "bytes/object"],
    );
    for (transport, variable) in [("udp", "PORTREEVE_UDP"), ("tcp", "PORTREEVE_TCP")] {
        for (security, credentials) in securities(demo)? {
            let address = format!("{transport}:{}", demo.env(variable)?);
            let quickest = quickest_walk(portreeve, &credentials, &address)?;
            let stats = quickest.stats;
            let objects = quickest.objects.len().max(1) as f64;
            let octets = stats.octets_out + stats.octets_in;
            table.row(vec![
                transport.into(),
                security,
                grouped(objects),
                format!("{:.1}", stats.seconds * 1e3),
                format!("{:.1}", stats.seconds * 1e6 / objects),
                grouped(stats.exchanges * 2.0),
                grouped(octets),
                format!("{:.0}", octets / objects),
            ]);
        }
    }
    println!("{}", table.render());
    Ok(())
}

fn quickest_walk(portreeve: &Path, credentials: &[String], address: &str) -> Result<Walk> {
    let mut quickest = walk(portreeve, credentials, address)?;
    for _ in 1..WALKS {
        let next = walk(portreeve, credentials, address)?;
        if next.stats.seconds < quickest.stats.seconds {
            quickest = next;
        }
    }
    Ok(quickest)
}

/// What the demo's agent accepts, weakest first: both communities' versions, and one user of each level.
fn securities(demo: &Demo) -> Result<Vec<(String, Vec<String>)>> {
    let mut securities = vec![
        ("v1 community".to_owned(), by_community("1", demo)?),
        ("v2c community".to_owned(), by_community("2c", demo)?),
    ];
    for (level, auth, privacy) in
        [("noAuthNoPriv", "", ""), ("authNoPriv", "SHA-256", ""), ("authPriv", "SHA-256", "AES")]
    {
        let fits = |user: &&User| user.level == level && user.auth == auth && user.privacy == privacy;
        let user = demo.users.iter().find(fits).ok_or_else(|| format!("users.tsv has no {level} user"))?;
        let title = format!("USM {level} {auth} {privacy}");
        securities.push((title.trim_end().to_owned(), user.options()));
    }
    Ok(securities)
}

fn by_community(version: &str, demo: &Demo) -> Result<Vec<String>> {
    Ok(["-v", version, "-c", demo.env("PORTREEVE_RO")?].map(String::from).into())
}

/// What one walk has found and cost.
struct Walk {
    objects: Vec<(String, String)>,
    stats: Stats,
}

/// The line that `--stats` prints on stderr.
#[derive(Default)]
struct Stats {
    exchanges: f64,
    octets_out: f64,
    octets_in: f64,
    seconds: f64,
}

fn walk(portreeve: &Path, credentials: &[String], address: &str) -> Result<Walk> {
    let mut command = Command::new(portreeve);
    let done = command
        .arg("walk")
        .args(credentials)
        .args(["-OnQ", "--stats", address, "IF-MIB::ifTable"])
        .output()?;
    let errors = String::from_utf8_lossy(&done.stderr).into_owned();
    if !done.status.success() {
        return Err(format!("portreeve walk {address}: {}: {}", done.status, errors.trim()).into());
    }
    let lines = String::from_utf8_lossy(&done.stdout).into_owned();
    let objects = lines.lines().filter_map(|line| line.split_once(" = "));
    Ok(Walk {
        objects: objects.map(|(name, value)| (name.to_owned(), value.trim_matches('"').to_owned())).collect(),
        stats: read_stats(&errors)?,
    })
}

fn read_stats(errors: &str) -> Result<Stats> {
    let line = errors
        .lines()
        .find(|line| line.starts_with("objects="))
        .ok_or("portreeve walk printed no statistics")?;
    let mut stats = Stats::default();
    for (name, value) in line.split_whitespace().filter_map(|word| word.split_once('=')) {
        let value: f64 = value.parse()?;
        match name {
            "exchanges" => stats.exchanges = value,
            "octets_out" => stats.octets_out = value,
            "octets_in" => stats.octets_in = value,
            "seconds" => stats.seconds = value,
            _ => {}
        }
    }
    Ok(stats)
}

/// A busy machine disturbs some of them.
const WALKS: usize = 5;

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
