//! The plan as text or JSON.

use std::fmt::Write as _;
use std::io;
use std::time::Duration;

use portreeve_lab_report::unit::Unit;
use portreeve_table::Table;
use serde_json::{Value, json};

use super::costs::{CostTable, OptionCosts};
use super::fleet::Fleet;
use super::predict::{BreakEven, Prediction, fastest_in_cleartext, recommend};
use super::traffic::{IDLE_TIMEOUTS, Traffic};
use crate::error::Result;

/// The predictions for a fleet.
pub(super) struct Plan<'c> {
    pub(super) table: &'c CostTable,
    pub(super) fleet: &'c Fleet,
    /// Each option with its prediction, or with the reason why there is none.
    pub(super) predictions: Vec<(&'c OptionCosts, std::result::Result<Prediction<'c>, &'static str>)>,
    pub(super) traffic: Option<Traffic>,
}

impl<'c> Plan<'c> {
    fn predicted(&self) -> Vec<Prediction<'c>> {
        self.predictions.iter().filter_map(|(_, prediction)| prediction.clone().ok()).collect()
    }

    /// Returns the text for people. `explains_all` shows the arithmetic of every option.
    pub(super) fn text(&self, explains_all: bool) -> Result<String> {
        let predicted = self.predicted();
        let mut text = format!("Costs measured: {}\n{}\n\n", self.table.run, self.fleet_text());
        text += &self.costs_table(&predicted).fitted(portreeve_table::line_width(io::stdout()));
        text += "Costs of one poll of one device. Break-even: the exchanges in a session from which it takes less time than \
                 USM over UDP.\n";
        for (option, prediction) in &self.predictions {
            if let Err(reason) = prediction {
                writeln!(text, "{}: not predicted: {reason}.", option.label())?;
            }
        }
        if let Some(traffic) = &self.traffic {
            text += &traffic_text(traffic);
        }
        let Some(chosen) = recommend(&predicted) else {
            return Ok(text + "\nNo option with encryption was measured, so none is recommended.\n");
        };
        text += &self.recommendation(chosen, fastest_in_cleartext(&predicted))?;
        for one in predicted.iter().filter(|one| explains_all || one.costs.stack == chosen.costs.stack) {
            text += &self.arithmetic(one)?;
        }
        Ok(text)
    }

    fn fleet_text(&self) -> String {
        let fleet = self.fleet;
        format!(
            "Fleet: {} devices; {} variables each, {} in a message, every {}; round trip {}; loss {} in each direction; {}",
            fleet.devices,
            fleet.objects,
            fleet.batch,
            seconds(fleet.interval),
            seconds(fleet.round_trip),
            Unit::Share.text(fleet.loss),
            fleet.session.phrase(),
        )
    }

    fn costs_table(&self, predicted: &[Prediction<'_>]) -> Table {
        let headings =
            ["option", "time", "octets", "frames", "manager CPU", "agent CPU", "memory", "break-even"];
        let mut table = Table::new(1, &headings).droppable(&[3, 6, 5]);
        for one in predicted {
            let known =
                |value: Option<f64>, unit: Unit| value.map_or(String::new(), |value| unit.text(value));
            table.add_row(vec![
                one.costs.label(),
                Unit::Seconds.text(one.time.total()),
                known(one.octets.map(f64::round), Unit::Octets),
                known(one.frames.map(f64::round), Unit::Count),
                Unit::Seconds.text(one.manager_cpu),
                known(one.agent_cpu, Unit::Seconds),
                known(one.memory, Unit::Bytes),
                break_even(one.break_even),
            ]);
        }
        table
    }

    fn recommendation(&self, chosen: &Prediction<'_>, clear: Option<&Prediction<'_>>) -> Result<String> {
        let polls = self.fleet.polls_per_hour();
        let mut text = format!(
            "\nRecommended: {}. Of the options that encrypt with current algorithms, it is within a tenth of the fastest \
             and sends the fewest octets.\nIn an hour, the fleet takes {} polls; they occupy the manager for {} of CPU time",
            chosen.costs.label(),
            Unit::Count.text(polls.round()),
            Unit::Seconds.text(chosen.manager_cpu * polls),
        );
        if let Some(octets) = chosen.octets {
            write!(text, " and the network with {}", Unit::Bytes.text(octets * polls))?;
        }
        if let Some(memory) = chosen.memory {
            write!(text, "; each agent holds {} for its session", Unit::Bytes.text(memory))?;
        }
        text += ".\n";
        if let Some(clear) = clear {
            let more = chosen.time.total() / clear.time.total() - 1.0;
            writeln!(
                text,
                "{} would take {} less time for a poll; everyone on the path could read it, and forge requests.",
                clear.costs.label(),
                Unit::Share.text(more.max(0.0) / (1.0 + more.max(0.0))),
            )?;
        }
        Ok(text)
    }

    /// Shows how the time of a poll is computed.
    fn arithmetic(&self, one: &Prediction<'_>) -> Result<String> {
        let (fleet, costs, time) = (self.fleet, one.costs, &one.time);
        let s = |value: f64| Unit::Seconds.text(value);
        let mut text = format!("\nThe time of a poll with {}\n", costs.label());
        writeln!(
            text,
            "  sessions   {:.4} · (set-up {} + {:.1} round trips · {}) = {}",
            time.sessions,
            s(costs.time.setup.max(0.0)),
            costs.setup_round_trips.unwrap_or_default(),
            seconds(fleet.round_trip),
            s(time.setup)
        )?;
        writeln!(
            text,
            "  exchanges  {} · (round trip {} + {}) + {} variables · {} = {}",
            fleet.exchanges(),
            seconds(fleet.round_trip),
            s(costs.time.exchange),
            fleet.objects,
            s(costs.time.variable),
            s(time.exchanges)
        )?;
        if let (true, Some(frames), Some((fixed, each))) = (fleet.loss > 0.0, one.frames, costs.lost_frame) {
            writeln!(
                text,
                "  lost       {frames:.1} frames · {} · ({} + {each:.2} · round trip) = {}",
                Unit::Share.text(fleet.loss),
                s(fixed),
                s(time.lost)
            )?;
            if let Some(other) = costs.lost_frame_label() {
                writeln!(text, "             the cost of a lost frame was measured with {other}")?;
            }
        }
        writeln!(text, "  together   {}", s(time.total()))?;
        Ok(text)
    }

    /// Returns JSON for programs. Units are seconds, octets and bytes.
    pub(super) fn json(&self) -> Result<String> {
        let predicted = self.predicted();
        let options: Vec<Value> =
            self.predictions.iter().map(|(option, prediction)| option_json(option, prediction)).collect();
        let fleet = self.fleet;
        let plan = json!({
            "costs": self.table.run,
            "fleet": {
                "devices": fleet.devices,
                "objects": fleet.objects,
                "batch": fleet.batch,
                "interval": fleet.interval.as_secs_f64(),
                "round-trip": fleet.round_trip.as_secs_f64(),
                "loss": fleet.loss,
                "polls-per-hour": fleet.polls_per_hour(),
            },
            "options": options,
            "recommended": recommend(&predicted).map(|one| one.costs.stack.clone()),
            "sessions": self.traffic.as_ref().map(traffic_json),
        });
        Ok(serde_json::to_string_pretty(&plan)? + "\n")
    }
}

fn option_json(option: &OptionCosts, prediction: &std::result::Result<Prediction<'_>, &str>) -> Value {
    match prediction {
        Err(reason) => json!({ "option": option.stack, "unavailable": reason }),
        Ok(one) => json!({
            "option": option.stack,
            "encrypted": option.is_secure(),
            "time": one.time.total(),
            "setup": one.time.setup,
            "exchanges": one.time.exchanges,
            "lost": one.time.lost,
            "lost-frames-measured-with": option.lost_frame_of,
            "frames": one.frames,
            "octets": one.octets,
            "manager-cpu": one.manager_cpu,
            "agent-cpu": one.agent_cpu,
            "memory": one.memory,
            "break-even": match one.break_even {
                BreakEven::From(exchanges) => json!(exchanges),
                other => json!(break_even(other)),
            },
        }),
    }
}

fn traffic_text(traffic: &Traffic) -> String {
    let mut table = Table::new(0, &["idle timeout", "sessions", "exchanges, median", "mean", "maximum"]);
    for sessions in IDLE_TIMEOUTS.into_iter().filter_map(|timeout| traffic.sessions(timeout)) {
        let lengths = &sessions.exchanges;
        table.add_row(vec![
            seconds(sessions.idle_timeout),
            lengths.n.to_string(),
            Unit::Count.text(lengths.median),
            Unit::Count.text(lengths.mean),
            Unit::Count.text(lengths.maximum),
        ]);
    }
    let gaps = traffic.gaps().map_or(String::new(), |gaps| {
        format!(
            " The gaps between requests have a median of {} and a 95th percentile of {}.",
            Unit::Seconds.text(gaps.median),
            Unit::Seconds.text(gaps.quantile(0.95))
        )
    });
    format!(
        "\nThe capture has {} requests between {} pairs of a manager and an agent in {}.{gaps}\n{}\
         The sessions that would carry them if idle ones were closed. Compare their exchanges with the break-even.\n",
        traffic.requests,
        traffic.pairs,
        seconds(traffic.duration),
        table.unwrapped(),
    )
}

fn traffic_json(traffic: &Traffic) -> Value {
    let sessions = IDLE_TIMEOUTS.into_iter().filter_map(|timeout| traffic.sessions(timeout));
    let sessions: Vec<Value> = sessions
        .map(|sessions| {
            json!({
                "idle-timeout": sessions.idle_timeout.as_secs_f64(),
                "sessions": sessions.exchanges.n,
                "median": sessions.exchanges.median,
                "mean": sessions.exchanges.mean,
            })
        })
        .collect();
    json!({ "pairs": traffic.pairs, "requests": traffic.requests, "duration": traffic.duration.as_secs_f64(), "by-idle-timeout": sessions })
}

fn break_even(value: BreakEven) -> String {
    match value {
        BreakEven::NotCompared => String::new(),
        BreakEven::Always => "always".to_owned(),
        BreakEven::Never => "never".to_owned(),
        BreakEven::NotDecided => "not decided".to_owned(),
        BreakEven::From(exchanges) => Unit::Count.text(exchanges),
    }
}

/// Returns a time as users write it.
fn seconds(time: Duration) -> String {
    let whole = time.as_secs();
    match (whole, time.subsec_nanos()) {
        (3600.., 0) if whole.is_multiple_of(3600) => format!("{} h", whole / 3600),
        (60.., 0) if whole.is_multiple_of(60) => format!("{} min", whole / 60),
        _ => Unit::Seconds.text(time.as_secs_f64()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::fleet::SessionPolicy;
    use super::super::predict::{predict, tests::table};
    use super::*;

    fn with_plan(fleet: &Fleet, check: impl FnOnce(&Plan<'_>)) {
        let table = table();
        let predictions =
            table.options.iter().map(|option| (option, predict(option, &table, fleet))).collect();
        check(&Plan { table: &table, fleet, predictions, traffic: None });
    }

    #[test]
    fn text_recommends_an_option_and_shows_its_arithmetic() {
        let fleet = Fleet {
            round_trip: Duration::from_millis(10),
            loss: 0.01,
            session: SessionPolicy::Poll,
            ..Fleet::default()
        };
        with_plan(&fleet, |plan| {
            let text = plan.text(false).unwrap().replace('\u{a0}', " ");
            for expected in [
                "Recommended: v3/USM SHA-256 AES over UDP.",
                "sessions   1.0000 · (set-up 200 µs + 2.0 round trips · 10 ms) = 20.2 ms",
                "exchanges  10 · (round trip 10 ms + 100 µs) + 100 variables · 1 µs = 101 ms",
                "lost       22.0 frames · 1 % · (10 ms + 2.00 · round trip) = 6.60 ms",
                "the cost of a lost frame was measured with v2c over UDP",
                "v3/TSM over DTLS 1.2: not predicted: no walk with a delay was measured for this transport.",
            ] {
                assert!(text.contains(expected), "{expected} is not in\n{text}");
            }
            assert_eq!(text.matches("The time of a poll with").count(), 1);
            assert_eq!(plan.text(true).unwrap().matches("The time of a poll with").count(), 3);
        });
    }

    #[test]
    fn json_has_every_option_with_its_prediction_or_reason() {
        with_plan(&Fleet::default(), |plan| {
            let plan: Value = serde_json::from_str(&plan.json().unwrap()).unwrap();
            assert_eq!(plan["options"].as_array().unwrap().len(), 4);
            assert_eq!(plan["recommended"], "tsm/ssh");
            assert_eq!(plan["options"][2]["memory"], 30_000.0);
            assert_eq!(
                plan["options"][3]["unavailable"],
                "no walk with a delay was measured for this transport"
            );
        });
    }
}
