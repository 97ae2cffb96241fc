//! One inform over a new and over an open connection or session of each transport: the time inside
//! one process, and the time of whole commands beside `snmpinform` over UDP.
//!
//! The receiver writes each inform to its disk before it acknowledges it; all senders wait for the
//! same disk.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::inform_client::{CARRIERS, SERVER_NAME};
use super::messages::operands;
use super::site::{AUTH_PASS, COMMUNITY, PRIV_PASS, Site, USER};
use super::{min_figure, quantile};
use crate::error::{Context, Result};
use crate::experiments::Effort;
use crate::process::{is_installed, output, own_program};
use crate::skips::skip;
use crate::stopwatch;
use crate::table::{Figure, Table};

/// Measures all transports, in one process and with commands.
pub(super) fn run(site: &Site<'_>, effort: Effort) -> Result<Vec<Figure>> {
    let receiver = site.start_receiver(&["-On"])?;
    let mut figures = in_process(site, effort)?;
    figures.extend(commands(site, effort)?);
    receiver.stop()?;
    Ok(figures)
}

/// Measures informs from one process.
fn in_process(site: &Site<'_>, effort: Effort) -> Result<Vec<Figure>> {
    let rounds = effort.rounds * ROUNDS;
    let mut command = site.in_client("portreeve-lab")?;
    command.arg("inform-client").arg(site.directory.join("credentials.env")).arg(rounds.to_string());
    let lines = output(&mut command)?;
    let times: Vec<Vec<f64>> = lines
        .lines()
        .map(|line| line.split(' ').map(|seconds| Ok(seconds.parse::<f64>()? * 1e3)).collect())
        .collect::<Result<_>>()?;
    println!(
        "One inform from opening a connection to its response, inside one process, in {rounds} interleaved rounds"
    );
    let head = ["inform", "new: best ms", "median ms", "n", "open: best ms", "median ms", "n"];
    let mut table = Table::new(1, &head);
    let mut figures = Vec::new();
    let (new, open) = times.split_at(times.len() / 2);
    for (carrier, (new, open)) in CARRIERS.into_iter().zip(new.iter().zip(open)) {
        let row = [("inform, new", new), ("inform, open", open)]
            .map(|(work, samples)| min_figure(work, "unpinned", carrier.name(), "ms", samples));
        let mut cells = vec![carrier.name().to_owned()];
        for figure in &row {
            cells.extend([
                format!("{:.3}", figure.best),
                format!("{:.3}", figure.median),
                figure.n.to_string(),
            ]);
        }
        table.add_row(cells);
        figures.extend(row);
    }
    println!("{}", table.unwrapped());
    Ok(figures)
}

/// Measures whole commands.
fn commands(site: &Site<'_>, effort: Effort) -> Result<Vec<Figure>> {
    let subjects = subjects(site)?;
    let commands = |is_open| -> Vec<Vec<String>> {
        subjects.iter().filter(|one| one.is_open == is_open).map(|one| one.words.clone()).collect()
    };
    // A command uses an open session if there is one. Therefore the commands that open a session
    // have a broker of their own.
    let groups = [(commands(false), environment(site, "new")?), (commands(true), environment(site, "open")?)];
    for (commands, environment) in &groups {
        // Runs each command once before the measurement, which starts the broker and opens the
        // sessions that stay open.
        for words in commands {
            let Some((program, arguments)) = words.split_first() else { continue };
            let mut first = site.namespaces()?.in_client(None, program)?;
            output(first.args(arguments).envs(environment.iter().map(|(name, value)| (name, value))))?;
        }
    }
    let mut times = vec![Vec::new(); subjects.len()];
    for _ in 0..effort.rounds {
        let mut turn = Vec::new();
        for (commands, environment) in &groups {
            let (pair, scratch) = (site.namespaces()?, &site.directory);
            turn.extend(stopwatch::time(pair, None, scratch, COMMAND_ROUNDS, commands, environment)?);
        }
        times.iter_mut().zip(turn).for_each(|(times, turn)| times.extend(turn));
    }
    let rounds = effort.rounds * COMMAND_ROUNDS;
    println!("Whole commands that send one inform, {rounds} interleaved runs");
    let mut table = Table::new(1, &["command", "best ms", "median ms", "n", "of snmpinform's"]);
    let mut figures: Vec<Figure> = Vec::new();
    for (subject, seconds) in subjects.iter().zip(&times) {
        let milliseconds: Vec<f64> = seconds.iter().map(|seconds| seconds * 1e3).collect();
        let mut figure = min_figure("inform, command", "unpinned", subject.name, "ms", &milliseconds);
        let reference = subjects.iter().zip(&times).find(|(other, _)| other.name == subject.reference);
        if let Some((_, seconds)) = reference.filter(|(other, _)| other.name != subject.name) {
            figure.ratios = vec![("snmpinform", figure.best / quantile(seconds, 0.0) / 1e3)];
        }
        table.add_row(vec![
            figure.subject.clone(),
            format!("{:.2}", figure.best),
            format!("{:.2}", figure.median),
            figure.n.to_string(),
            figure.ratio_cell("snmpinform"),
        ]);
        figures.push(figure);
    }
    println!("{}", table.unwrapped());
    Ok(figures)
}

/// A command, and the name of the command with which it is compared.
struct Subject {
    name: &'static str,
    reference: &'static str,
    /// True if the command uses a session that is open.
    is_open: bool,
    words: Vec<String>,
}

/// Returns the commands; those that use an open session are the last ones.
fn subjects(site: &Site<'_>) -> Result<Vec<Subject>> {
    let portreeve = own_program("portreeve")?.display().to_string();
    let udp = site.env("UDP")?;
    let auth = ["-a", "SHA-256", "-A", AUTH_PASS, "-x", "AES", "-X", PRIV_PASS];
    let user = [&["-v3", "-u", USER, "-l", "authPriv"], &auth[..]].concat();
    let community = ["-v2c", "-c", COMMUNITY];
    let words = |program: &[&str], options: &[&str], address: &str| -> Vec<String> {
        let words = [program, options, &[address]].concat();
        words.into_iter().map(str::to_owned).chain(operands()).collect()
    };
    let ours = |options: &[&str], address: &str| words(&[&portreeve, "inform"], options, address);
    // Without MIB files, snmpinform starts faster.
    let net_snmp = |options: &[&str]| words(&["snmpinform", "-m", ""], options, udp);
    let subject = |name, reference, words| Subject { name, reference, is_open: false, words };
    let mut subjects = vec![
        subject("inform, v2c over UDP", SNMPINFORM_V2C, ours(&community, udp)),
        subject("inform, v3 over UDP", SNMPINFORM_V3, ours(&user, udp)),
        subject("inform, v2c over TCP", SNMPINFORM_V2C, ours(&community, &format!("tcp:{udp}"))),
    ];
    if is_installed("snmpinform") {
        subjects.push(subject(SNMPINFORM_V2C, SNMPINFORM_V2C, net_snmp(&community)));
        subjects.push(subject(SNMPINFORM_V3, SNMPINFORM_V3, net_snmp(&user)));
    } else {
        skip("snmpinform", "it is not installed (Debian: snmp)");
    }
    let ssh = format!("ssh://{}@{}", site.env("SSH_USER")?, site.env("SSH")?);
    let (tls, dtls) = (format!("tls:{}", site.env("TLS")?), format!("dtls:{}", site.env("DTLS")?));
    let sessions = [
        ("inform, new SSH session", "inform, open SSH session", ssh),
        ("inform, new TLS session", "inform, open TLS session", tls),
        ("inform, new DTLS session", "inform, open DTLS session", dtls),
    ];
    let name = ["--server-name", SERVER_NAME];
    for (new, _, address) in &sessions {
        subjects.push(subject(new, SNMPINFORM_V3, ours(&name, address)));
    }
    for (_, open, address) in &sessions {
        let words = ours(&[name, ["--persist", PERSIST]].concat(), address);
        subjects.push(Subject { is_open: true, ..subject(open, SNMPINFORM_V3, words) });
    }
    Ok(subjects)
}

/// Returns the environment of a user who has only the demo's credentials.
fn environment(site: &Site<'_>, name: &str) -> Result<Vec<(String, String)>> {
    let home = site.directory.join(format!("home-{name}"));
    let runtime = home.join("run");
    fs::create_dir_all(&runtime).context(runtime.display())?;
    for folder in [&home, &runtime] {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700)).context(folder.display())?;
    }
    let mut environment: Vec<_> = site.environment().collect();
    environment.extend(
        [
            ("HOME", home.display().to_string()),
            ("XDG_RUNTIME_DIR", runtime.display().to_string()),
            ("SSH_AUTH_SOCK", String::new()),
            ("MIBS", String::new()),
            ("SNMP_PERSISTENT_DIR", home.join("snmp").display().to_string()),
        ]
        .map(|(name, value)| (name.to_owned(), value)),
    );
    Ok(environment)
}

const SNMPINFORM_V2C: &str = "snmpinform, v2c over UDP";
const SNMPINFORM_V3: &str = "snmpinform, v3 over UDP";

/// The lifetime of a session in the broker: longer than all rounds take.
const PERSIST: &str = "60s";
/// Rounds of each process and of commands, for each round of the effort.
const ROUNDS: usize = 20;
const COMMAND_ROUNDS: usize = 10;
