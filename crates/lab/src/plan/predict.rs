//! The prediction for one option: what a poll of a device and an hour of the fleet cost.

use super::costs::{CostTable, OptionCosts};
use super::fit::Cost;
use super::fleet::{Fleet, SessionPolicy};

/// The prediction for one option.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Prediction<'c> {
    pub(super) costs: &'c OptionCosts,
    /// The parts of the time of one poll of a device, in seconds.
    pub(super) time: TimeParts,
    /// For each poll of a device.
    pub(super) frames: Option<f64>,
    pub(super) octets: Option<f64>,
    pub(super) manager_cpu: f64,
    pub(super) agent_cpu: Option<f64>,
    /// The agent's bytes for the session, if it stays open.
    pub(super) memory: Option<f64>,
    /// The exchanges from which a session takes less time than with USM over UDP.
    pub(super) break_even: BreakEven,
}

/// The parts of the time of a poll, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimeParts {
    /// The sessions that a poll opens.
    pub(super) sessions: f64,
    pub(super) setup: f64,
    pub(super) exchanges: f64,
    pub(super) lost: f64,
}

impl TimeParts {
    pub(super) fn total(&self) -> f64 {
        self.setup + self.exchanges + self.lost
    }
}

/// The comparison with USM over UDP.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum BreakEven {
    /// The option is USM over UDP, or is not encrypted.
    NotCompared,
    Always,
    Never,
    /// From this number of exchanges in a session on.
    From(f64),
    /// An exchange costs nearly the same, so that errors of the measurement would decide.
    NotDecided,
}

/// The reason why an option is not predicted.
pub(super) const NO_DELAY: &str = "no walk with a delay was measured for this transport";
pub(super) const NO_LOSS: &str = "no walk with loss was measured for this transport";

/// Predicts the costs of an option.
///
/// # Errors
/// A reason, if the run lacks the measurements that the fleet's network needs.
pub(super) fn predict<'c>(
    costs: &'c OptionCosts,
    table: &CostTable,
    fleet: &Fleet,
) -> Result<Prediction<'c>, &'static str> {
    let sessions = fleet.session.sessions_per_poll(fleet);
    let (exchanges, variables) = (fleet.exchanges(), fleet.objects as f64);
    let of = |cost: &Cost| cost.setup * sessions + cost.exchange * exchanges + cost.variable * variables;
    let round_trip = fleet.round_trip.as_secs_f64();
    let setup = setup_time(costs, round_trip)?;
    let frames = costs.frames.as_ref().map(of);
    let lost = match (fleet.loss > 0.0, frames, costs.lost_frame) {
        (false, ..) => 0.0,
        (true, Some(frames), Some((fixed, each))) => frames * fleet.loss * (fixed + each * round_trip),
        (true, ..) => return Err(NO_LOSS),
    };
    let time = TimeParts {
        sessions,
        setup: sessions * setup,
        exchanges: exchanges * round_trip + costs.time.exchange * exchanges + costs.time.variable * variables,
        lost,
    };
    let is_kept = fleet.session == SessionPolicy::Kept;
    Ok(Prediction {
        costs,
        time,
        frames,
        octets: costs.octets.as_ref().map(of),
        manager_cpu: of(&costs.manager_cpu),
        agent_cpu: costs.agent_cpu.as_ref().map(of),
        memory: costs.memory.filter(|_| is_kept),
        break_even: break_even(costs, table, fleet, round_trip),
    })
}

fn setup_time(costs: &OptionCosts, round_trip: f64) -> Result<f64, &'static str> {
    match costs.setup_round_trips {
        Some(number) => Ok(costs.time.setup.max(0.0) + number * round_trip),
        None if round_trip == 0.0 => Ok(costs.time.setup.max(0.0)),
        None => Err(NO_DELAY),
    }
}

fn break_even(costs: &OptionCosts, table: &CostTable, fleet: &Fleet, round_trip: f64) -> BreakEven {
    let usm = table.options.iter().find(|option| option.stack == USM_UDP);
    let Some(usm) = usm.filter(|usm| costs.is_secure() && usm.stack != costs.stack) else {
        return BreakEven::NotCompared;
    };
    let (Ok(own), Ok(of_usm)) = (setup_time(costs, round_trip), setup_time(usm, round_trip)) else {
        return BreakEven::NotCompared;
    };
    let batch = fleet.batch as f64;
    let exchange = |costs: &OptionCosts| costs.time.of_exchange(batch);
    let (rise, gain) = (own - of_usm, exchange(usm) - exchange(costs));
    let is_near = exchange(usm).max(exchange(costs)) <= exchange(usm).min(exchange(costs)) * NEARLY;
    match (rise > 0.0, gain > 0.0) {
        _ if is_near => BreakEven::NotDecided,
        (false, true) => BreakEven::Always,
        (true, true) => BreakEven::From((rise / gain).ceil()),
        _ => BreakEven::Never,
    }
}

/// Chooses an option: encrypted, with current algorithms, within a tenth of the fastest one, and of
/// those the one with the fewest octets.
pub(super) fn recommend<'p, 'c>(predictions: &'p [Prediction<'c>]) -> Option<&'p Prediction<'c>> {
    let secure = || predictions.iter().filter(|one| one.costs.is_secure() && !one.costs.is_outdated());
    let fastest = secure().map(|one| one.time.total()).min_by(f64::total_cmp)?;
    let octets = |one: &&Prediction<'_>| one.octets.unwrap_or(f64::INFINITY);
    secure()
        .filter(|one| one.time.total() <= fastest * NEARLY)
        .min_by(|one, other| octets(one).total_cmp(&octets(other)))
}

/// The fastest option without encryption, for comparison.
pub(super) fn fastest_in_cleartext<'p, 'c>(predictions: &'p [Prediction<'c>]) -> Option<&'p Prediction<'c>> {
    let clear = predictions.iter().filter(|one| !one.costs.is_secure());
    clear.min_by(|one, other| one.time.total().total_cmp(&other.time.total()))
}

const USM_UDP: &str = "usm-sha256-aes128/udp";
/// Differences of time below this are not a reason to choose, and decide no break-even.
const NEARLY: f64 = 1.1;

#[cfg(test)]
pub(super) mod tests {
    use std::time::Duration;

    use super::*;

    fn cost(setup: f64, exchange: f64, variable: f64) -> Cost {
        Cost { setup, exchange, variable }
    }

    /// Costs with simple numbers: USM has two round trips of set-up and 100 µs for an exchange; SSH
    /// has five and 1 ms, but 60 µs for an exchange.
    pub(in crate::plan) fn table() -> CostTable {
        // USM has longer headers.
        let octets = |stack: &str| if stack == USM_UDP { 100.0 } else { 80.0 };
        let option = |stack: &str, time, setup_round_trips, memory| OptionCosts {
            stack: stack.into(),
            time,
            frames: Some(cost(2.0, 2.0, 0.0)),
            octets: Some(cost(1000.0, octets(stack), 20.0)),
            manager_cpu: cost(1e-4, 1e-5, 1e-6),
            agent_cpu: Some(cost(2e-4, 2e-5, 1e-6)),
            setup_round_trips,
            lost_frame: Some((0.01, 2.0)),
            lost_frame_of: (stack == USM_UDP).then(|| "v2c/udp".into()),
            memory,
        };
        CostTable {
            run: "a test".into(),
            options: vec![
                option("v2c/udp", cost(1e-5, 5e-5, 1e-6), Some(0.0), None),
                option(USM_UDP, cost(2e-4, 1e-4, 1e-6), Some(2.0), None),
                option("tsm/ssh", cost(1e-3, 6e-5, 1e-6), Some(5.0), Some(30_000.0)),
                option("tsm/dtls12", cost(1e-3, 6e-5, 1e-6), None, None),
            ],
        }
    }

    fn fleet(session: SessionPolicy) -> Fleet {
        Fleet { round_trip: Duration::from_millis(10), session, ..Fleet::default() }
    }

    #[track_caller]
    fn assert_close(value: f64, expected: f64) {
        assert!((value / expected - 1.0).abs() < 1e-9, "{value} instead of {expected}");
    }

    #[test]
    fn poll_consists_of_its_sessions_exchanges_and_lost_frames() {
        let table = table();
        let poll = predict(&table.options[2], &table, &fleet(SessionPolicy::Poll)).unwrap();
        // 1 ms and five round trips; ten exchanges of 60 µs with ten variables of 1 µs.
        assert_close(poll.time.setup, 0.051);
        assert_close(poll.time.exchanges, 0.1 + 6e-4 + 1e-4);
        assert_eq!((poll.time.lost, poll.memory), (0.0, None));
        assert_close(poll.octets.unwrap(), 1000.0 + 800.0 + 2000.0);
        assert_close(poll.frames.unwrap(), 22.0);
        assert_close(poll.manager_cpu, 1e-4 + 1e-4 + 1e-4);
        let lossy = Fleet { loss: 0.01, ..fleet(SessionPolicy::Poll) };
        let lossy = predict(&table.options[2], &table, &lossy).unwrap();
        assert_close(lossy.time.lost, 22.0 * 0.01 * (0.01 + 2.0 * 0.01));
        let each = predict(&table.options[2], &table, &fleet(SessionPolicy::Message)).unwrap();
        assert_close(each.time.setup, 0.51);
        let kept = predict(&table.options[2], &table, &fleet(SessionPolicy::Kept)).unwrap();
        assert_close(kept.time.setup, 0.051 * 300.0 / 86_400.0);
        assert_eq!(kept.memory, Some(30_000.0));
    }

    #[test]
    fn break_even_includes_the_round_trips_of_the_setup() {
        let table = table();
        let of =
            |index: usize, fleet: &Fleet| predict(&table.options[index], &table, fleet).unwrap().break_even;
        // 0.8 ms and three round trips of 10 ms against 40 µs for each exchange.
        assert_eq!(of(2, &fleet(SessionPolicy::Poll)), BreakEven::From(770.0));
        let near = Fleet { round_trip: Duration::ZERO, ..Fleet::default() };
        assert_eq!(of(2, &near), BreakEven::From(20.0));
        assert_eq!(of(1, &near), BreakEven::NotCompared);
        assert_eq!(of(0, &near), BreakEven::NotCompared, "cleartext");
    }

    #[test]
    fn break_even_of_nearly_equal_exchanges_is_not_decided() {
        let near = Fleet { round_trip: Duration::ZERO, ..Fleet::default() };
        let with_exchange = |exchange: f64| {
            let mut table = table();
            table.options[2].time.exchange = exchange;
            predict(&table.options[2], &table, &near).unwrap().break_even
        };
        // Those of USM take 100 µs and 10 variables of 1 µs.
        assert_eq!(with_exchange(9.2e-5), BreakEven::NotDecided);
        assert_eq!(with_exchange(1.08e-4), BreakEven::NotDecided);
        assert_eq!(with_exchange(8.5e-5), BreakEven::From(54.0));
        assert_eq!(with_exchange(1.3e-4), BreakEven::Never);
    }

    #[test]
    fn option_without_the_needed_measurements_has_a_reason() {
        let mut table = table();
        let dtls = table.options[3].clone();
        assert_eq!(predict(&dtls, &table, &fleet(SessionPolicy::Kept)).err(), Some(NO_DELAY));
        let near = Fleet { round_trip: Duration::ZERO, ..Fleet::default() };
        assert!(predict(&dtls, &table, &near).is_ok());
        table.options[0].lost_frame = None;
        let lossy = Fleet { loss: 0.01, ..near };
        assert_eq!(predict(&table.options[0], &table, &lossy).err(), Some(NO_LOSS));
    }

    #[test]
    fn recommendation_is_encrypted_and_current_although_cleartext_is_faster() {
        let mut table = table();
        let mut outdated = table.options[1].clone();
        outdated.stack = "usm-md5-aes128/udp".into();
        outdated.time.exchange = 0.0;
        table.options.push(outdated);
        let near = Fleet { round_trip: Duration::ZERO, ..Fleet::default() };
        let predictions: Vec<_> =
            table.options.iter().map(|option| predict(option, &table, &near).unwrap()).collect();
        assert_eq!(recommend(&predictions).unwrap().costs.stack, "tsm/ssh");
        assert_eq!(fastest_in_cleartext(&predictions).unwrap().costs.stack, "v2c/udp");
        assert!(recommend(&predictions[..1]).is_none(), "only cleartext was measured");
    }
}
