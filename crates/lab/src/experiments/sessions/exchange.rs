//! One GET after the other in an open session, compared with the same over cleartext TCP.
//!
//! The load of a machine changes from second to second. So each round in a session is paired with
//! one over TCP, and the median of all ratios is reported. A round is long enough that cold caches
//! at its start do not matter. The memory layout of a process affects its speed until it exits, so
//! both processes are restarted several times.

use super::agent_setup::{AgentSetup, PINNED, Setting, UNPINNED};
use super::{Carrier, ClientProcess, ProtocolStack, min_figure};
use crate::error::Result;
use crate::experiments::Effort;
use crate::experiments::usage::cpu;
use crate::table::{Figure, Table, goal_cells};

/// Measures every protocol stack, with processes pinned to cores and then unpinned.
pub(super) fn run(setup: &AgentSetup<'_>, effort: Effort) -> Result<Vec<Figure>> {
    let work = Work { count: (effort.seconds * PER_SECOND) as usize, starts: effort.rounds };
    println!(
        "One GET after the other in an open session: µs per GET, in rounds of {} GETs. Each of the {} rounds is paired \
         with a round over TCP: `of TCP` is the median of the ratios, and `middle half` their range without the lowest \
         and the highest quarter",
        work.count,
        work.starts * PAIRS
    );
    let head = [
        "session",
        "setting",
        "best µs",
        "median µs",
        "n",
        "of TCP",
        "middle half",
        "required",
        "target",
        "client CPU µs",
        "server CPU µs",
        "CPU of TCP's",
    ];
    let mut table = Table::new(2, &head);
    let mut figures = series(setup, work, PINNED, &mut table)?;
    figures.extend(series(setup, work, UNPINNED, &mut table)?);
    println!("{}", table.unwrapped());
    Ok(figures)
}

#[derive(Clone, Copy)]
struct Work {
    /// Number of exchanges per round.
    count: usize,
    /// Number of restarts of both processes.
    starts: usize,
}

/// The cost of one exchange in one round, in microseconds.
#[derive(Clone, Copy)]
struct RoundCost {
    time: f64,
    client: f64,
    server: f64,
}

impl RoundCost {
    fn cpu(&self) -> f64 {
        self.client + self.server
    }
}

/// A round in a session, and the adjacent round over TCP.
struct Pair {
    session: RoundCost,
    tcp: RoundCost,
}

fn series(setup: &AgentSetup<'_>, work: Work, setting: Setting, table: &mut Table) -> Result<Vec<Figure>> {
    let mut pairs: Vec<Vec<Pair>> = STACKS.iter().map(|_| Vec::new()).collect();
    for _ in 0..work.starts {
        measure(setup, work, setting, &mut pairs)?;
    }
    let tcp: Vec<RoundCost> = pairs.iter().flatten().map(|pair| pair.tcp).collect();
    let mut figures = vec![row(TCP, setting, &tcp, &[], None, table)];
    for ((stack, goal), pairs) in STACKS.iter().zip(&pairs) {
        let sessions: Vec<RoundCost> = pairs.iter().map(|pair| pair.session).collect();
        let goal = goal.filter(|_| setting.client_core.is_some());
        figures.push(row(*stack, setting, &sessions, pairs, goal, table));
    }
    Ok(figures)
}

/// Starts both processes, and measures [`PAIRS`] pairs of rounds for each protocol stack.
fn measure(setup: &AgentSetup<'_>, work: Work, setting: Setting, pairs: &mut [Vec<Pair>]) -> Result<()> {
    let server = setup.start(setting, |same| same)?;
    let mut client = setup.client(setting)?;
    for stack in STACKS.iter().map(|(stack, _)| *stack).chain([TCP]) {
        client.send_command(&format!("exchange {} {}", stack.id(), work.count))?;
    }
    let mut round = |stack: ProtocolStack| exchanges(&mut client, server.id(), stack, work.count);
    for turn in 0..PAIRS {
        for ((stack, _), pairs) in STACKS.iter().zip(&mut *pairs) {
            // Each of the two rounds of a pair is the first equally often.
            pairs.push(if turn % 2 == 0 {
                let tcp = round(TCP)?;
                Pair { session: round(*stack)?, tcp }
            } else {
                Pair { session: round(*stack)?, tcp: round(TCP)? }
            });
        }
    }
    drop(client);
    server.stop().map(drop)
}

/// Runs one round; returns its cost for both processes.
fn exchanges(
    client: &mut ClientProcess,
    server: u32,
    stack: ProtocolStack,
    count: usize,
) -> Result<RoundCost> {
    let before = (cpu(client.id())?, cpu(server)?);
    let seconds = client.number(&format!("exchange {} {count}", stack.id()), "seconds")?;
    let each = |seconds: f64| seconds * 1e6 / count as f64;
    Ok(RoundCost {
        time: each(seconds),
        client: each(cpu(client.id())? - before.0),
        server: each(cpu(server)? - before.1),
    })
}

/// Returns the figure of one protocol stack and adds its row to the table. TCP has no pairs,
/// because it is the reference.
fn row(
    stack: ProtocolStack,
    setting: Setting,
    costs: &[RoundCost],
    pairs: &[Pair],
    goal: Option<(f64, f64)>,
    table: &mut Table,
) -> Figure {
    let each = |of: fn(&RoundCost) -> f64| costs.iter().map(of).collect::<Vec<f64>>();
    let mut figure =
        min_figure("GET in an open session", setting.name, stack.label(), "µs", &each(|costs| costs.time));
    let mut cells = vec![
        figure.subject.clone(),
        setting.name.into(),
        format!("{:.1}", figure.best),
        format!("{:.1}", figure.median),
        figure.n.to_string(),
    ];
    let cpu = [each(|costs| costs.client), each(|costs| costs.server)].map(|each| quartiles(each)[1]);
    let cpu = cpu.map(|each| format!("{each:.1}"));
    if !pairs.is_empty() {
        let ratios = |of: fn(&RoundCost) -> f64| {
            quartiles(pairs.iter().map(|pair| of(&pair.session) / of(&pair.tcp)).collect())
        };
        let [low, middle, high] = ratios(|costs| costs.time);
        let [_, work, _] = ratios(RoundCost::cpu);
        figure.ratios = vec![("tcp", middle), ("cpu-of-tcp", work)];
        figure.goal = goal;
        cells.extend([format!("{middle:.2}"), format!("{low:.2}–{high:.2}")]);
        cells.extend(goal_cells(goal, 2));
    }
    cells.resize(9, String::new());
    cells.extend(cpu);
    cells.push(figure.ratio_cell("cpu-of-tcp"));
    table.add_row(cells);
    figure
}

/// Returns the quartiles of the samples.
fn quartiles(mut samples: Vec<f64>) -> [f64; 3] {
    samples.sort_by(f64::total_cmp);
    [1, 2, 3].map(|quarter| samples.get(samples.len() * quarter / 4).copied().unwrap_or_default())
}

const TCP: ProtocolStack = ProtocolStack::v2c(Carrier::Tcp);

/// The protocol stacks with the required and the target ratio.
const STACKS: [(ProtocolStack, Option<(f64, f64)>); 9] = [
    (ProtocolStack::v2c(Carrier::Udp), None),
    (ProtocolStack::v2c(Carrier::Ssh), Some((1.25, 1.15))),
    (ProtocolStack::v2c(Carrier::Tls), Some((1.15, 1.08))),
    (ProtocolStack::v2c(Carrier::Dtls12), Some((1.2, 1.1))),
    (ProtocolStack::v2c(Carrier::Dtls13), Some((1.2, 1.1))),
    (ProtocolStack::tsm(Carrier::Ssh), None),
    (ProtocolStack::tsm(Carrier::Tls), None),
    (ProtocolStack::tsm(Carrier::Dtls12), None),
    (ProtocolStack::tsm(Carrier::Dtls13), None),
];

/// Number of exchanges in a round for each second of its nominal duration.
const PER_SECOND: f64 = 2500.0;
/// Number of pairs of rounds between two restarts.
const PAIRS: usize = 4;
