use portreeve_lab_report::document::{Block, Document, Outcome, Section, Verdict};
use portreeve_lab_report::markdown;
use portreeve_lab_report::sample::{Record, Sample, Unavailable, Variant};
use portreeve_lab_report::samples::Samples;

use super::super::NAME;
use super::super::lines::{FIXED_UDP, LINES, Line, MEASURED_UDP, PAPER_TCP, PAPER_UDP, TCP};
use super::draw;

/// The walks of one line with one loss and delay: their times, and the frames lost in each.
struct Walks {
    line: Line,
    delay: &'static str,
    loss: &'static str,
    times: Vec<f64>,
    lost: f64,
    failures: f64,
}

impl Walks {
    fn new(line: Line, loss: &'static str, times: &[f64], lost: f64) -> Self {
        Self { line, delay: "0", loss, times: times.into(), lost, failures: 0.0 }
    }

    fn record(&self) -> Record {
        let variant = self.line.variant().and("delay", self.delay).and("loss", self.loss);
        let sample = Sample::new(NAME, variant.and("link", "a means"), 0)
            .value("walks", self.times.len() as f64 + self.failures)
            .value("failures", self.failures)
            .value("lost", self.lost)
            .value("exchanges", 12.0)
            .list("times", self.times.clone());
        Record::Sample(sample)
    }
}

fn section(walks: &[Walks]) -> Section {
    let mut section = Section::new(NAME, "a title");
    draw(&Samples::new(walks.iter().map(Walks::record).collect()), &mut section);
    section
}

fn verdicts(section: &Section) -> Vec<&Verdict> {
    fn verdict(block: &Block) -> Option<&Verdict> {
        match block {
            Block::Verdict(verdict) => Some(verdict),
            _ => None,
        }
    }
    section.blocks.iter().filter_map(verdict).collect()
}

fn outcomes(section: &Section) -> Vec<Outcome> {
    verdicts(section).iter().map(|verdict| verdict.outcome).collect()
}

fn text(section: &Section) -> String {
    let mut document = Document::new("a report");
    document.push(section.clone());
    markdown::render(&document).replace('\u{a0}', " ")
}

/// Walks without loss that take 10 ms, and two walks of each line with a loss of 5 % and five lost
/// frames each, of which each costs this much.
fn with_costs(costs: &[(Line, f64)]) -> Vec<Walks> {
    scattered_costs(costs, 0.0)
}

/// As [`with_costs`], but the costs of the two walks differ from the mean by a share of it.
fn scattered_costs(costs: &[(Line, f64)], share: f64) -> Vec<Walks> {
    let lossy = |cost: f64| 0.01 + 5.0 * cost;
    let walks = costs.iter().flat_map(|(line, cost)| {
        let quiet = Walks::new(*line, "0", &[0.01, 0.01], 0.0);
        let [low, high] =
            [1.0 - share, 1.0 + share].map(|factor| Walks::new(*line, "5", &[lossy(cost * factor)], 5.0));
        [quiet, low, high]
    });
    walks.collect()
}

/// The costs of all lines of the paper, of which the last one on TCP is the slowest.
fn costs_of_paper(slowest: f64) -> Vec<(Line, f64)> {
    let [first, second] = PAPER_UDP;
    let [tcp, usm, ssh] = PAPER_TCP;
    vec![(first, 1.0), (second, 1.1), (tcp, 0.2), (usm, 0.2), (ssh, slowest)]
}

#[test]
fn paper_holds_if_every_transport_on_tcp_is_clearly_faster() {
    let section_with = |slowest| section(&with_costs(&costs_of_paper(slowest)));
    let holds = section_with(0.7);
    assert_eq!(outcomes(&holds), [Outcome::Holds]);
    // A walk loses 100 frames times the probability of a loss.
    let expected = "with a loss of 0.100 %, 80 ms for v2c over SSH, X25519 and 110 ms for v2c over UDP, fixed timeout; \
                    with a loss of 0.500 %, 360 ms for v2c over SSH";
    assert!(text(&holds).contains(expected), "{}", text(&holds));
    assert_eq!(outcomes(&section_with(0.9)), [Outcome::HoldsInPart]);
    // One slower transport on TCP is enough.
    assert_eq!(outcomes(&section_with(1.01)), [Outcome::DoesNotHold]);
}

#[test]
fn nothing_is_decided_if_few_frames_were_lost_or_a_line_is_missing() {
    let mut walks = with_costs(&costs_of_paper(0.9));
    walks[1].lost = 4.0;
    assert_eq!(outcomes(&section(&walks)), []);
    assert_eq!(outcomes(&section(&with_costs(&costs_of_paper(0.9)[1..]))), []);
    assert_eq!(outcomes(&section(&[])), []);
}

/// The costs are computed from all losses, but walks with 0.5 % were slower over SSH.
#[test]
fn measured_means_that_contradict_the_computed_ones_are_stated() {
    let walks = |lost| {
        let mut walks = with_costs(&costs_of_paper(0.7));
        let times = PAPER_UDP.map(|line| (line, 0.1)).into_iter().chain(PAPER_TCP.map(|line| (line, 0.5)));
        walks.extend(times.map(|(line, time)| Walks::new(line, "0.5", &[time, time], lost)));
        walks
    };
    let without = text(&section(&walks(0.0)));
    assert!(!without.contains("measured with these losses alone"), "these walks lost nothing: {without}");
    let section = section(&walks(1.0));
    assert_ne!(outcomes(&section), [Outcome::Holds]);
    let text = text(&section);
    assert!(
        text.contains("measured with these losses alone are, with a loss of 0.500 %, 500 ms for"),
        "{text}"
    );
}

#[test]
fn costs_with_overlapping_intervals_are_not_decided() {
    let section = section(&scattered_costs(&[(FIXED_UDP, 1.0), (MEASURED_UDP, 0.01), (TCP, 0.02)], 0.5));
    assert_eq!(outcomes(&section), [Outcome::NotDecided]);
    assert!(text(&section).contains("without a delay, 10 ms (95 %"), "{}", text(&section));
}

#[test]
fn losses_without_a_lost_frame_are_named_and_not_drawn() {
    let walks = vec![
        Walks::new(TCP, "0", &[0.01, 0.01], 0.0),
        Walks::new(TCP, "0.1", &[0.01, 0.01], 0.0),
        Walks::new(TCP, "5", &[0.02, 0.03], 3.0),
    ];
    let section = section(&walks);
    let text = text(&section);
    assert!(text.contains("In 1 of 2 rows with loss no frame was lost"), "{text}");
    assert!(text.contains("| none |"), "{text}");
    let chart = section.blocks.iter().find_map(|block| match block {
        Block::Figure(figure) => match &figure.panels[0].plot {
            portreeve_lab_report::document::Plot::Chart(chart) => Some(chart),
            _ => None,
        },
        _ => None,
    });
    let portreeve_lab_report::document::Data::Measured(_, points) = &chart.unwrap().series[0].data else {
        panic!("not measured")
    };
    assert_eq!(points.iter().map(|(loss, _)| *loss).collect::<Vec<_>>(), [0.05]);
}

#[test]
fn measured_timeout_is_compared_by_cost_of_a_lost_frame() {
    let walks = |cost: f64| with_costs(&[(FIXED_UDP, 1.0), (MEASURED_UDP, cost), (TCP, 0.2)]);
    let fast = section(&walks(0.002));
    assert_eq!(outcomes(&fast), [Outcome::Holds]);
    let expected =
        "costs, without a delay, 2 ms over UDP with a measured timeout, 200 ms over TCP, and 1 s over UDP";
    assert!(text(&fast).contains(expected), "{}", text(&fast));
    assert_eq!(outcomes(&section(&walks(0.3))), [Outcome::DoesNotHold]);
}

#[test]
fn rounds_with_failed_walks_do_not_change_the_cost() {
    let mut walks = with_costs(&[(FIXED_UDP, 1.0), (MEASURED_UDP, 0.05), (TCP, 0.2)]);
    walks.push(Walks { failures: 1.0, ..Walks::new(MEASURED_UDP, "2", &[9.0], 50.0) });
    let text = text(&section(&walks));
    assert!(text.contains("without a delay, 50 ms over UDP with a measured timeout"), "{text}");
}

#[test]
fn tables_show_distribution_failures_and_timeout_of_the_paper() {
    let times: Vec<f64> = (1..=21).map(f64::from).collect();
    let mut walks = Walks::new(FIXED_UDP, "5", &times, 1.5);
    walks.failures = 2.0;
    let text = text(&section(&[walks]));
    let row = text.lines().find(|line| line.starts_with("| 5 %")).unwrap();
    let cells: Vec<&str> = row.split('|').map(str::trim).collect();
    assert_eq!(cells[2], "23");
    assert!(cells[3].starts_with("**11 s") && cells[4].starts_with("**11 s"), "{row}");
    assert!(cells[5].contains("20 s") && cells[7].contains("1.50"), "{row}");
    assert_eq!([cells[6], cells[8]], ["2", "not known"]);
    let cost = text.lines().find(|line| line.contains("*1 s*")).unwrap();
    assert!(cost.contains("too few lost frames"), "{cost}");
}

#[test]
fn every_line_that_was_measured_is_drawn_in_every_panel() {
    let walks: Vec<Walks> = LINES
        .into_iter()
        .flat_map(|line| ["0", "10"].map(|delay| Walks { delay, ..Walks::new(line, "5", &[1.0], 1.0) }))
        .collect();
    let section = section(&walks);
    let figure = section.blocks.iter().find_map(|block| match block {
        Block::Figure(figure) => Some(figure),
        _ => None,
    });
    let titles: Vec<&str> = figure.unwrap().panels.iter().map(|panel| panel.title.as_str()).collect();
    assert_eq!(titles, ["No delay", "Delay of 10\u{a0}ms in each direction"]);
    for panel in &figure.unwrap().panels {
        let portreeve_lab_report::document::Plot::Chart(chart) = &panel.plot else { panic!("no chart") };
        assert_eq!(chart.series.len(), LINES.len());
    }
}

#[test]
fn reasons_stand_below_the_tables() {
    let unavailable = |variant, reason: &str| {
        Record::Unavailable(Unavailable { experiment: NAME.into(), variant, reason: reason.into() })
    };
    let records = vec![
        unavailable(Variant::of([("delay", "50")]), "no TAP interfaces"),
        unavailable(Variant::of([("agent", "net-snmp"), ("stack", "v2c/udp")]), "no library"),
    ];
    let mut section = Section::new(NAME, "a title");
    draw(&Samples::new(records), &mut section);
    let text = text(&section);
    assert!(text.contains("Walks with a delay of 50 ms in each direction: no TAP interfaces."), "{text}");
    assert!(text.contains("Net-SNMP: v2c over UDP: no library."), "{text}");
    assert_eq!(outcomes(&section), []);
}
