//! Whole commands: a walk of a table with 107 rows, and one GET, compared with Net-SNMP's commands.
//!
//! Each command is one process from start to exit, with its output discarded. The client runs on
//! core 0, the agents on core 1, in namespaces connected by a veth pair. In a second series the
//! scheduler chooses the cores.

use std::net::IpAddr;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use super::Effort;
use super::throughput::{PINNED, Setting, UNPINNED};
use crate::daemon::{self, Agent};
use crate::error::{Context, Result};
use crate::namespaces::{Namespaces, SERVER};
use crate::process::{Server, is_installed, output, own_program};
use crate::skips::skip;
use crate::stopwatch;
use crate::table::{Figure, Table, best_and_median, goal_cells};

/// Measures the walk and the GET.
pub(crate) fn run(scratch: &Path, effort: Effort) -> Result<Vec<Figure>> {
    if !is_installed("snmpd") || !is_installed("snmpbulkwalk") {
        skip("whole commands", "snmpd or snmpbulkwalk is not installed (Debian: snmpd and snmp)");
        return Ok(Vec::new());
    }
    let namespaces = Namespaces::new(IF_TABLE_ROWS)?;
    let portreeve = own_program("portreeve")?.display().to_string();
    let portreeved =
        daemon::portreeved(&own_program("portreeved")?, &scratch.join("walk-portreeved"), SERVER.into())?;
    let snmpd = daemon::snmpd(&scratch.join("walk-snmpd"), IpAddr::from(SERVER))?;
    let mut figures = Vec::new();
    for setting in [PINNED, UNPINNED] {
        let start = |agent| start_on(&namespaces, setting.server_core, &portreeve, agent);
        let servers = [start(&portreeved)?, start(&snmpd)?];
        for work in works(&portreeve, &portreeved, &snmpd) {
            let commands: Vec<Vec<String>> = work.runs.iter().map(|run| run.command.clone()).collect();
            check(&namespaces, &work)?;
            let rounds = effort.rounds * work.runs_per_round;
            let times = stopwatch::time(&namespaces, setting.client_core, scratch, rounds, &commands, &[])?;
            figures.extend(work.figures(setting, &times));
        }
        servers.into_iter().try_for_each(|server| server.stop().map(drop))?;
    }
    println!(
        "Whole commands: best and median of n interleaved runs of each command; pinned: client on core 0, agents on core 1"
    );
    print_table(&figures);
    Ok(figures)
}

/// Starts an agent on core 1 and waits until it responds.
pub(super) fn start(namespaces: &Namespaces, portreeve: &str, agent: &Agent) -> Result<Server> {
    start_on(namespaces, PINNED.server_core, portreeve, agent)
}

/// Starts an agent on a core, or without a fixed one, and waits until it responds.
fn start_on(namespaces: &Namespaces, core: Option<usize>, portreeve: &str, agent: &Agent) -> Result<Server> {
    let mut server = agent.start(|program| namespaces.in_server(core, program))?;
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
    /// The number of times that each command runs in one round.
    runs_per_round: usize,
    runs: Vec<Run>,
}

struct Run {
    subject: String,
    command: Vec<String>,
    /// Required and target ratio to the speed of the last command, if pinned.
    goal: Option<(f64, f64)>,
}

fn works(portreeve: &str, portreeved: &Agent, snmpd: &Agent) -> [Work; 3] {
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
    let one_by_one = [portreeve, "walk", "--one-by-one", "-On"];
    let slow_walks = vec![
        run("portreeve walk --one-by-one → portreeved", words(&one_by_one, portreeved, IF_TABLE), None),
        run("portreeve walk --one-by-one → snmpd", words(&one_by_one, snmpd, IF_TABLE), None),
        run("snmpwalk → snmpd", words(&["snmpwalk", "-m", "", "-On"], snmpd, IF_TABLE), None),
    ];
    let gets = vec![
        run("portreeve get → snmpd", words(&[portreeve, "get"], snmpd, SYS_UP_TIME), Some((2.0, 3.0))),
        run("snmpget → snmpd", words(&["snmpget", "-m", ""], snmpd, SYS_UP_TIME), None),
    ];
    [
        Work {
            name: "walk of ifTable, 107 rows",
            lines: IF_TABLE_ROWS * COLUMNS,
            runs_per_round: RUNS_PER_ROUND,
            runs: walks,
        },
        Work {
            name: "walk of ifTable, 107 rows, one by one",
            lines: IF_TABLE_ROWS * COLUMNS,
            runs_per_round: SLOW_RUNS_PER_ROUND,
            runs: slow_walks,
        },
        Work { name: "one GET", lines: 1, runs_per_round: RUNS_PER_ROUND, runs: gets },
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
    fn figures(&self, setting: Setting, times: &[Vec<f64>]) -> Vec<Figure> {
        let rates =
            |seconds: &Vec<f64>| -> Vec<f64> { seconds.iter().map(|seconds| 1.0 / seconds).collect() };
        let measure = times.last().map(|seconds| best_and_median(&rates(seconds)));
        let reference = self.runs.len().saturating_sub(1);
        let figure = |(index, (run, seconds)): (usize, (&Run, &Vec<f64>))| {
            let (best, median) = best_and_median(&rates(seconds));
            let of = |measure: (f64, f64)| ("net-snmp", best / measure.0);
            Figure {
                experiment: "walk",
                work: self.name.into(),
                setting: setting.name,
                subject: run.subject.clone(),
                unit: "runs",
                best,
                median,
                n: seconds.len(),
                ratios: measure.filter(|_| index < reference).map(of).into_iter().collect(),
                goal: run.goal.filter(|_| setting.server_core.is_some()),
            }
        };
        self.runs.iter().zip(times).enumerate().map(figure).collect()
    }
}

fn print_table(figures: &[Figure]) {
    let head =
        ["work", "setting", "command", "best ms", "median ms", "n", "of Net-SNMP's", "required", "target"];
    let mut table = Table::new(3, &head);
    for figure in figures {
        let [must, aim] = goal_cells(figure.goal, 1);
        table.add_row(vec![
            figure.work.clone(),
            figure.setting.into(),
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
const RUNS_PER_ROUND: usize = 20;
/// The same for walks that take ten times as long.
const SLOW_RUNS_PER_ROUND: usize = 4;
const START_TIMEOUT: Duration = Duration::from_secs(30);
