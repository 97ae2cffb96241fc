//! `demo`: an agent on loopback with keys of its own, this machine's interfaces read over every transport and
//! security level there is, and what each of them costs.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::daemon::{Demo, User};
use crate::failure::{Context, Result};
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
        "The same table by GETNEXT, over UDP and TCP at every security level: the least of {WALKS} walks."
    );
    println!("Packets and bytes are whole frames, as the loopback interface counts them.\n");
    let mut table = Table::new(
        2,
        &["transport", "security", "objects", "ms", "µs/object", "packets", "bytes", "bytes/object"],
    );
    for (transport, variable) in [("udp", "PORTREEVE_UDP"), ("tcp", "PORTREEVE_TCP")] {
        for (security, credentials) in securities(demo)? {
            let address = format!("{transport}:{}", demo.env(variable)?);
            let cost = least_of_some_walks(portreeve, &credentials, &address)?;
            table.row(vec![
                transport.into(),
                security,
                grouped(cost.objects),
                format!("{:.1}", cost.seconds * 1e3),
                format!("{:.1}", cost.seconds * 1e6 / cost.objects),
                grouped(cost.frames.packets),
                grouped(cost.frames.octets),
                format!("{:.0}", cost.frames.octets / cost.objects),
            ]);
        }
    }
    println!("{}", table.render());
    Ok(())
}

/// What the quickest walk took, and the fewest frames: whatever else goes over loopback meanwhile only adds to them.
struct Cost {
    objects: f64,
    seconds: f64,
    frames: Frames,
}

fn least_of_some_walks(portreeve: &Path, credentials: &[String], address: &str) -> Result<Cost> {
    let mut least =
        Cost { objects: 1.0, seconds: f64::MAX, frames: Frames { packets: f64::MAX, octets: f64::MAX } };
    for _ in 0..WALKS {
        let before = Frames::on_loopback()?;
        let walk = walk(portreeve, credentials, address)?;
        let after = Frames::on_loopback()?;
        least = Cost {
            objects: walk.objects.len().max(1) as f64,
            seconds: least.seconds.min(walk.seconds),
            frames: Frames {
                packets: least.frames.packets.min(after.packets - before.packets),
                octets: least.frames.octets.min(after.octets - before.octets),
            },
        };
    }
    Ok(least)
}

/// Frames that an interface has sent, and their octets.
struct Frames {
    packets: f64,
    octets: f64,
}

impl Frames {
    fn on_loopback() -> Result<Self> {
        let read = |counter: &str| -> Result<f64> {
            let file = format!("/sys/class/net/lo/statistics/{counter}");
            Ok(fs::read_to_string(&file).context(&file)?.trim().parse()?)
        };
        Ok(Self { packets: read("tx_packets")?, octets: read("tx_bytes")? })
    }
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

/// What one walk has found, and how long it took.
struct Walk {
    objects: Vec<(String, String)>,
    seconds: f64,
}

fn walk(portreeve: &Path, credentials: &[String], address: &str) -> Result<Walk> {
    let mut command = Command::new(portreeve);
    let done = command
        .arg("walk")
        .args(credentials)
        .args(["-OnQ", "--one-by-one", "--stats", address, "IF-MIB::ifTable"])
        .output()?;
    let errors = String::from_utf8_lossy(&done.stderr).into_owned();
    if !done.status.success() {
        return Err(format!("portreeve walk {address}: {}: {}", done.status, errors.trim()).into());
    }
    let lines = String::from_utf8_lossy(&done.stdout).into_owned();
    let objects = lines.lines().filter_map(|line| line.split_once(" = "));
    Ok(Walk {
        objects: objects.map(|(name, value)| (name.to_owned(), value.trim_matches('"').to_owned())).collect(),
        seconds: read_seconds(&errors)?,
    })
}

/// The time in the line that `--stats` prints on stderr.
fn read_seconds(errors: &str) -> Result<f64> {
    let line = errors.lines().find(|line| line.starts_with("objects="));
    let seconds =
        line.and_then(|line| line.split_whitespace().find_map(|word| word.strip_prefix("seconds=")));
    Ok(seconds.ok_or("portreeve walk printed no statistics")?.parse()?)
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
