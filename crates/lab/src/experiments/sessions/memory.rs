//! What the agent keeps of a session in which one GET was answered and nothing happens any more.

use std::thread;
use std::time::Duration;

use super::site::{PINNED, Site};
use super::{Carrier, Way, least, usage::memory};
use crate::failure::Result;
use crate::table::{Figure, Table, goal_cells};

/// Each transport with an agent of its own.
pub(super) fn run(site: &Site<'_>) -> Result<Vec<Figure>> {
    println!(
        "Memory of an idle session: the agent's own, no file's, after one GET in each, in units of 1024 octets"
    );
    let mut table = Table::new(1, &["session", "sessions", "KB each", "must", "aim"]);
    let mut figures = Vec::new();
    for (carrier, goal) in WORKS {
        let way = Way::v2c(carrier);
        let server = site.start(PINNED, |same| same)?;
        let mut client = site.client(PINNED)?;
        client.say(&format!("churn {} {WARM_UP}", way.word()))?;
        thread::sleep(SETTLING);
        let bare = memory(server.id())?;
        let mut open = 0;
        for sessions in CROWDS {
            client.say(&format!("open {} {}", way.word(), sessions - open))?;
            open = sessions;
            thread::sleep(SETTLING);
            let each = (memory(server.id())? - bare) / sessions as f64 / 1024.0;
            let figure = Figure {
                goal,
                ..least(&format!("{sessions} idle sessions"), PINNED.name, way.shown(), "KB each", &[each])
            };
            let mut cells = vec![figure.subject.clone(), sessions.to_string(), format!("{each:.1}")];
            cells.extend(goal_cells(goal, 0));
            table.row(cells);
            figures.push(figure);
        }
    }
    println!("{}", table.whole());
    Ok(figures)
}

const CROWDS: [usize; 2] = [1000, 5000];

const WORKS: [(Carrier, Option<(f64, f64)>); 5] = [
    (Carrier::SshMlKem, Some((48.0, 34.0))),
    (Carrier::Tls, Some((16.0, 13.0))),
    (Carrier::Dtls12, Some((62.0, f64::NAN))),
    (Carrier::Dtls13, Some((24.0, 20.0))),
    (Carrier::Tcp, None),
];

/// Sessions that come and go before anything is measured.
const WARM_UP: usize = 50;

const SETTLING: Duration = Duration::from_millis(500);
