//! Whole commands: a walk of a table with 107 rows, and one GET, compared with Net-SNMP's commands.
//!
//! Each command is one process from start to exit, with its output discarded. The client runs on
//! core 0, the agents on core 1, in namespaces connected by a veth pair.

use std::net::IpAddr;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use super::Effort;
use crate::daemon::{self, Agent};
use crate::error::{Context, Result};
use crate::namespaces::{Namespaces, SERVER};
use crate::process::{Server, is_installed, output, sibling};
use crate::stopwatch;
use crate::table::{Figure, Table, best_and_median, goal_cells};

/// Measures the walk and the GET.
pub(crate) fn run(scratch: &Path, effort: Effort) -> Result<Vec<Figure>> {
    if !is_installed("snmpd") || !is_installed("snmpbulkwalk") {
        println!("whole commands are not measured: snmpd or snmpbulkwalk is not installed");
        return Ok(Vec::new());
    }
    let namespaces = Namespaces::new(IF_TABLE_ROWS)?;
    let portreeve = sibling("portreeve")?.display().to_string();
    let portreeved =
        daemon::portreeved(&sibling("portreeved")?, &scratch.join("walk-portreeved"), SERVER.into())?;
    let snmpd = daemon::snmpd(&scratch.join("walk-snmpd"), IpAddr::from(SERVER))?;
    let servers = [start(&namespaces, &portreeve, &portreeved)?, start(&namespaces, &portreeve, &snmpd)?];

    let rounds = effort.rounds * ROUNDS_PER_ROUND;
    let mut figures = Vec::new();
    for work in works(&portreeve, &portreeved, &snmpd) {
        let commands: Vec<Vec<String>> = work.runs.iter().map(|run| run.command.clone()).collect();
        check(&namespaces, &work)?;
        let times = stopwatch::time(&namespaces, Some(0), scratch, rounds, &commands, &[])?;
        figures.extend(work.figures(&times));
    }
    servers.into_iter().try_for_each(|server| server.stop().map(drop))?;
    println!(
        "Whole commands: best and median of {rounds} interleaved runs of each command; client on core 0, agents on core 1"
    );
    print_table(&figures);
    Ok(figures)
}

/// Starts an agent on core 1 and waits until it responds.
pub(super) fn start(namespaces: &Namespaces, portreeve: &str, agent: &Agent) -> Result<Server> {
    let mut server = agent.start(|program| namespaces.in_server(Some(1), program))?;
    let deadline = Instant::now() + START_TIMEOUT;
    loop {
        server.check().context(agent.log().unwrap_or_default())?;
        let mut get = namespaces.in_client(None, portreeve)?;
        get.args(["get", "-r0", "-t0.2"]).args(at(agent)).arg(SYS_UP_TIME);
        match output(&mut get) {
            Ok(_) => return Ok(server),
            Err(error) if Instant::now() > deadline => return Err(error),
            Err(_) => thread::sleep(Duration::from_millis(50)),
        }
    }
}

/// Returns the arguments that specify an agent on a command line.
pub(super) fn at(agent: &Agent) -> [String; 4] {
    ["-v2c".into(), "-c".into(), agent.community.clone(), agent.address.to_string()]
}

/// A workload of several commands; the last one is the reference of the others.
struct Work {
    name: &'static str,
    /// Number of lines that each command must print.
    lines: usize,
    runs: Vec<Run>,
}

struct Run {
    subject: String,
    command: Vec<String>,
    /// Required and target ratio to the speed of the last command.
    goal: Option<(f64, f64)>,
}

fn works(portreeve: &str, portreeved: &Agent, snmpd: &Agent) -> [Work; 2] {
    let words = |program: &[&str], agent: &Agent, name: &str| -> Vec<String> {
        let program = program.iter().map(|word| (*word).to_owned());
        program.chain(at(agent)).chain([name.to_owned()]).collect()
    };
    let run = |subject: &str, command, goal| Run { subject: subject.to_owned(), command, goal };
    let walk = [portreeve, "walk", "-On"];
    let walks = vec![
        run("portreeve walk → portreeved", words(&walk, portreeved, IF_TABLE), Some((3.0, 5.0))),
        run("portreeve walk → snmpd", words(&walk, snmpd, IF_TABLE), Some((1.8, 2.3))),
        run("snmpbulkwalk → snmpd", words(&["snmpbulkwalk", "-m", "", "-On"], snmpd, IF_TABLE), None),
    ];
    let gets = vec![
        run("portreeve get → snmpd", words(&[portreeve, "get"], snmpd, SYS_UP_TIME), Some((2.0, 3.0))),
        run("snmpget → snmpd", words(&["snmpget", "-m", ""], snmpd, SYS_UP_TIME), None),
    ];
    [
        Work { name: "walk of ifTable, 107 rows", lines: IF_TABLE_ROWS * COLUMNS, runs: walks },
        Work { name: "one GET", lines: 1, runs: gets },
    ]
}

/// Checks that every command prints the complete result.
fn check(namespaces: &Namespaces, work: &Work) -> Result<()> {
    for run in &work.runs {
        let Some((program, arguments)) = run.command.split_first() else { continue };
        let lines = output(namespaces.in_client(None, program)?.args(arguments))?.lines().count();
        if lines != work.lines {
            return Err(format!("{}: {lines} lines instead of {}", run.subject, work.lines).into());
        }
    }
    Ok(())
}

impl Work {
    fn figures(&self, times: &[Vec<f64>]) -> Vec<Figure> {
        let rates =
            |seconds: &Vec<f64>| -> Vec<f64> { seconds.iter().map(|seconds| 1.0 / seconds).collect() };
        let measure = times.last().map(|seconds| best_and_median(&rates(seconds)));
        let figure = |(run, seconds): (&Run, &Vec<f64>)| {
            let (best, median) = best_and_median(&rates(seconds));
            let of = |measure: (f64, f64)| ("net-snmp", best / measure.0);
            Figure {
                experiment: "walk",
                work: self.name.into(),
                setting: "pinned",
                subject: run.subject.clone(),
                unit: "runs",
                best,
                median,
                n: seconds.len(),
                ratios: run.goal.and(measure).map(of).into_iter().collect(),
                goal: run.goal,
            }
        };
        self.runs.iter().zip(times).map(figure).collect()
    }
}

fn print_table(figures: &[Figure]) {
    let head = ["work", "command", "best ms", "median ms", "n", "of Net-SNMP's", "required", "target"];
    let mut table = Table::new(2, &head);
    for figure in figures {
        let [must, aim] = goal_cells(figure.goal, 1);
        table.add_row(vec![
            figure.work.clone(),
            figure.subject.clone(),
            format!("{:.2}", 1000.0 / figure.best),
            format!("{:.2}", 1000.0 / figure.median),
            figure.n.to_string(),
            figure.ratios.first().map_or(String::new(), |(_, ratio)| format!("{ratio:.2}")),
            must,
            aim,
        ]);
    }
    println!("{}", table.unwrapped());
}

/// The table of the 2006 measurements had 107 rows.
pub(super) const IF_TABLE_ROWS: usize = 107;
const COLUMNS: usize = 22;
const IF_TABLE: &str = ".1.3.6.1.2.1.2.2";
const SYS_UP_TIME: &str = ".1.3.6.1.2.1.1.3.0";
/// The number of times that each command runs in one round. It is high, because a process takes
/// only milliseconds.
const ROUNDS_PER_ROUND: usize = 20;
const START_TIMEOUT: Duration = Duration::from_secs(30);
