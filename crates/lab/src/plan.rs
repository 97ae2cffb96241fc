//! `plan`: predicts what every option costs for a fleet, from the measured costs of a run.
//!
//! ```text
//! samples.jsonl ─ costs: fit ─▶ CostTable ─┐
//! fleet: options, --fleet FILE ────────────┼─▶ predict ─▶ print: table, break-even, arithmetic
//! traffic: --pcap FILE ────────────────────┘
//! ```
//! `lab report` writes the fitted costs as `costs.json`; those of the shipped report are built into
//! this program. `check` compares predictions with walks that the fit has not seen.

mod check;
mod costs;
mod fit;
mod fleet;
mod predict;
mod print;
mod traffic;

use std::path::Path;

use portreeve_lab_report::sample::RunInfo;
use portreeve_lab_report::samples::Samples;
use portreeve_usage::Flag;

use crate::error::{Context, Result};
use crate::harness::read_run;
use crate::options::Options;
use costs::CostTable;
use fleet::Fleet;
use predict::predict;
use print::Plan;
use traffic::Traffic;

pub(crate) use check::draw as draw_check;

/// Prints the plan.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let options = Options::parse_flags(arguments, &OPTIONS)?;
    if !options.plain.is_empty() {
        return Err(crate::commands::usage_error("plan"));
    }
    let fleet = Fleet::parse(&options)?;
    let table = match options.all("from").last() {
        Some(directory) => from_run(Path::new(directory))?,
        None => serde_json::from_str(SHIPPED).context("the costs of the shipped report")?,
    };
    let traffic = options.all("pcap").last().map(|file| Traffic::read(Path::new(file))).transpose()?;
    let predictions = table.options.iter().map(|option| (option, predict(option, &table, &fleet)));
    let plan = Plan { table: &table, fleet: &fleet, predictions: predictions.collect(), traffic };
    let text = match options.has("json") {
        true => plan.json()?,
        // In a terminal, texts are searched and copied: they have ordinary spaces.
        false => plan.text(options.has("explain"))?.replace(['\u{a0}', '\u{202f}'], " "),
    };
    print!("{text}");
    Ok(())
}

/// Fits the costs to the samples of a run.
fn from_run(directory: &Path) -> Result<CostTable> {
    let (info, samples) = read_run(directory)?;
    let table = fitted(&info, &samples);
    if table.options.is_empty() {
        return Err(format!(
            "{}: the run has no walks of ifTable\nhint: run `portreeve lab run walk one-shot packet-loss memory`",
            directory.display()
        )
        .into());
    }
    Ok(table)
}

fn fitted(info: &RunInfo, samples: &Samples) -> CostTable {
    let quick = if info.quick { ", a quick run whose figures are not results" } else { "" };
    CostTable::of(&format!("{} on {}{quick}", info.started, info.environment.cpu), samples)
}

/// Returns the fitted costs as JSON; `None` if the run has none.
pub(crate) fn costs_json(info: &RunInfo, samples: &Samples) -> Result<Option<String>> {
    let table = fitted(info, samples);
    if table.options.is_empty() {
        return Ok(None);
    }
    Ok(Some(serde_json::to_string_pretty(&table)? + "\n"))
}

/// The costs of the shipped report.
const SHIPPED: &str = include_str!("../../../docs/lab/costs.json");

/// The options of `lab plan`.
pub(crate) const OPTIONS: [Flag; 12] = [
    Flag::long("from", "use the samples of the run in DIR instead of those of the shipped report").with_value("DIR"),
    Flag::long("fleet", "read the description of the fleet from FILE, with a line `key = value` for each of the following options")
        .with_value("FILE"),
    Flag::long("devices", "number of devices (default: 100)").with_value("N"),
    Flag::long("objects", "variables that a poll reads from a device (default: 100)").with_value("N"),
    Flag::long("batch", "variables in one message (default: 10)").with_value("N"),
    Flag::long("interval", "time from one poll of a device to the next (default: 5m)").with_value("TIME"),
    Flag::long("round-trip", "round-trip time to a device (default: 1ms)").with_value("TIME"),
    Flag::long("loss", "frames that are lost in each direction, in per cent (default: 0)").with_value("PERCENT"),
    Flag::long("session", "the life of a session: one for each message, one for each poll, or kept open (default: kept)")
        .with_value("message|poll|kept"),
    Flag::long("pcap", "estimate the lengths of sessions from the requests in a capture file").with_value("FILE"),
    Flag::long("explain", "show the arithmetic of every option, not only of the recommended one"),
    Flag::long("json", "print the plan as JSON"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_of_the_shipped_report_are_readable_and_contain_secure_options() {
        let table: CostTable = serde_json::from_str(SHIPPED).unwrap();
        assert!(table.options.iter().any(|option| option.is_secure() && !option.is_outdated()));
    }

    #[test]
    fn operand_is_rejected() {
        assert!(run(&["fleet.toml".to_owned()]).is_err());
    }
}
