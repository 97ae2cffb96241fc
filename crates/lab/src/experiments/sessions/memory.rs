//! The agent's memory for an idle session after one GET.

use std::thread;
use std::time::Duration;

use super::agent_setup::{AgentSetup, PINNED};
use super::{Carrier, ProtocolStack, min_figure};
use crate::error::Result;
use crate::experiments::usage::memory;
use crate::table::{Figure, Table, goal_cells};

/// Measures each transport with its own agent.
pub(super) fn run(setup: &AgentSetup<'_>) -> Result<Vec<Figure>> {
    println!(
        "Memory of an idle session: the agent's anonymous memory per session in units of 1024 bytes, after one GET in each session"
    );
    let mut table = Table::new(1, &["session", "sessions", "KB each", "required", "target"]);
    let mut figures = Vec::new();
    for (carrier, goal) in WORKS {
        let stack = ProtocolStack::v2c(carrier);
        let server = setup.start(PINNED, |same| same)?;
        let mut client = setup.client(PINNED)?;
        client.send_command(&format!("churn {} {WARM_UP_SESSIONS}", stack.id()))?;
        thread::sleep(SETTLE_TIME);
        let bare = memory(server.id())?;
        let mut open = 0;
        for sessions in SESSION_COUNTS {
            client.send_command(&format!("open {} {}", stack.id(), sessions - open))?;
            open = sessions;
            thread::sleep(SETTLE_TIME);
            let each = (memory(server.id())? - bare) / sessions as f64 / 1024.0;
            let figure = Figure {
                goal,
                ..min_figure(
                    &format!("{sessions} idle sessions"),
                    PINNED.name,
                    stack.label(),
                    "KB each",
                    &[each],
                )
            };
            let mut cells = vec![figure.subject.clone(), sessions.to_string(), format!("{each:.1}")];
            cells.extend(goal_cells(goal, 0));
            table.add_row(cells);
            figures.push(figure);
        }
    }
    println!("{}", table.unwrapped());
    Ok(figures)
}

const SESSION_COUNTS: [usize; 2] = [1000, 5000];

const WORKS: [(Carrier, Option<(f64, f64)>); 5] = [
    (Carrier::SshMlKem, Some((48.0, 34.0))),
    (Carrier::Tls, Some((16.0, 13.0))),
    (Carrier::Dtls12, Some((62.0, f64::NAN))),
    (Carrier::Dtls13, Some((24.0, 20.0))),
    (Carrier::Tcp, None),
];

/// Number of sessions opened and closed before measuring.
const WARM_UP_SESSIONS: usize = 50;

const SETTLE_TIME: Duration = Duration::from_millis(500);
