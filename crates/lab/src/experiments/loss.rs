//! The cost of a lost datagram: walks by GETNEXT with one outstanding request, on a link with
//! random loss.
//!
//! nftables drops and counts arriving datagrams in both namespaces. The cost is the additional time
//! compared with the same walk without loss, divided by the number of dropped datagrams.

use std::net::IpAddr;
use std::path::Path;

use super::Effort;
use super::walk::{IF_TABLE_ROWS, at, start};
use crate::daemon;
use crate::error::{Context, Result};
use crate::namespaces::{Namespaces, SERVER};
use crate::process::{is_installed, output, own_program};
use crate::skips::skip;
use crate::stopwatch;
use crate::table::{Figure, Table};

/// Walks at each loss rate.
pub(crate) fn run(scratch: &Path, effort: Effort) -> Result<Vec<Figure>> {
    if !is_installed("nft") {
        skip("walks", "nft is not installed (Debian: nftables)");
        return Ok(Vec::new());
    }
    let namespaces = Namespaces::new(IF_TABLE_ROWS)?;
    let portreeve = own_program("portreeve")?.display().to_string();
    let agent = daemon::portreeved(
        &own_program("portreeved")?,
        &scratch.join("loss-portreeved"),
        IpAddr::from(SERVER),
    )?;
    let server = start(&namespaces, &portreeve, &agent)?;
    let walk = [&portreeve, "walk", "--one-by-one", "-On", "-CE", THIRD_COLUMN].map(str::to_owned);
    let command: Vec<String> = walk.into_iter().chain(at(&agent)).chain([IF_TABLE.to_owned()]).collect();

    let walks = effort.rounds * WALKS_PER_ROUND;
    let time =
        |walks| stopwatch::time(&namespaces, Some(0), scratch, walks, std::slice::from_ref(&command), &[]);
    let quiet = mean(&time(walks)?);
    let mut figures = Vec::new();
    for per_thousand in PER_THOUSAND {
        let before = drop_at_random(&namespaces, per_thousand)?;
        let times = time(walks)?;
        let lost = dropped(&namespaces)? - before;
        let added = (mean(&times) - quiet) * 1000.0 * walks as f64 / lost.max(1.0);
        figures.push(Figure {
            experiment: "loss",
            work: format!("GETNEXT walk, {} % loss, {lost:.0} lost", f64::from(per_thousand) / 10.0),
            setting: "pinned",
            subject: "portreeve walk --one-by-one → portreeved".into(),
            unit: "ms per lost datagram",
            best: added,
            median: added,
            n: walks,
            ratios: Vec::new(),
            goal: None,
        });
    }
    server.stop()?;
    println!(
        "Loss: the mean of {walks} walks of {} variables; {:.1} ms each without loss",
        2 * IF_TABLE_ROWS,
        quiet * 1000.0
    );
    print_table(&figures);
    Ok(figures)
}

/// Sets the drop rate, per thousand arriving datagrams, in both namespaces. Returns the number of
/// datagrams that were dropped at the previous rate.
fn drop_at_random(namespaces: &Namespaces, per_thousand: u32) -> Result<f64> {
    let rule = format!(
        "table ip lab {{\n counter lost {{ }}\n chain arriving {{\n type filter hook input priority 0;\n \
         meta l4proto udp numgen random mod 1000 < {per_thousand} counter name lost drop\n }}\n }}"
    );
    for end in nft_commands(namespaces)? {
        let [mut clear, mut apply] = end;
        // The first time there is no table to delete.
        let _ = output(clear.args(["delete", "table", "ip", "lab"]));
        output(apply.arg(&rule)).context("nftables")?;
    }
    dropped(namespaces)
}

fn dropped(namespaces: &Namespaces) -> Result<f64> {
    let mut sum = 0.0;
    for [mut list, _] in nft_commands(namespaces)? {
        let text = output(list.args(["list", "counter", "ip", "lab", "lost"]))?;
        let words: Vec<&str> = text.split_whitespace().collect();
        let count = words.windows(2).find(|pair| pair.first() == Some(&"packets"));
        let count = count.and_then(|pair| pair.last()).ok_or("nftables shows no counter")?;
        sum += count.parse::<f64>()?;
    }
    Ok(sum)
}

/// Returns two nft commands for the client's namespace and two for the server's, still without
/// arguments.
fn nft_commands(namespaces: &Namespaces) -> Result<[[std::process::Command; 2]; 2]> {
    let client = || namespaces.in_client(None, "nft");
    let server = || namespaces.in_server(None, "nft");
    Ok([[client()?, client()?], [server()?, server()?]])
}

fn mean(times: &[Vec<f64>]) -> f64 {
    let all: Vec<f64> = times.iter().flatten().copied().collect();
    all.iter().sum::<f64>() / all.len().max(1) as f64
}

fn print_table(figures: &[Figure]) {
    let mut table = Table::new(1, &["work", "walks", "ms per lost datagram", "required", "target"]);
    for figure in figures {
        let cells = [figure.n.to_string(), format!("{:.2}", figure.best), "≤ 6".into(), "≤ 3".into()];
        table.add_row([figure.work.clone()].into_iter().chain(cells).collect());
    }
    println!("{}", table.unwrapped());
}

const PER_THOUSAND: [u32; 3] = [5, 20, 50];
const WALKS_PER_ROUND: usize = 20;
const IF_TABLE: &str = ".1.3.6.1.2.1.2.2";
const THIRD_COLUMN: &str = ".1.3.6.1.2.1.2.2.1.3";
