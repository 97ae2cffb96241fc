//! Nanoseconds to decode and encode an SNMPv2c response with ten variables, compared with two other
//! Rust libraries in builds with the feature `compare-codecs`.
//!
//! Decoding includes reading every variable; encoding starts from the values of each library. All
//! three must produce the same octets, which shows that they do the same work.

#[cfg(feature = "compare-codecs")]
mod others;

use std::hint::black_box;
use std::thread;
use std::time::{Duration, Instant};

use portreeve_lab_report::statistics::Summary;
use portreeve_smi::ber::{ForwardWriter, ReverseWriter};
use portreeve_smi::{MessageProcessingModel, Value};
use portreeve_snmp_message::{CommunityMessage, Pdu, PduType, prepend_community_message, prepend_pdu};

use super::Effort;
use crate::error::Result;
#[cfg(not(feature = "compare-codecs"))]
use crate::skips::skip;
use crate::table::{Figure, Table};

/// Measures all libraries in interleaved rounds, on one core with real-time priority if permitted.
pub(crate) fn run(effort: Effort) -> Result<Vec<Figure>> {
    // Measures in a separate thread, so that processes of other experiments inherit neither core
    // nor priority.
    let measuring = thread::spawn(move || {
        // Without permission for this, the figures are noisier, but valid.
        let _ = portreeve_sys::pin_to_core(0);
        let _ = portreeve_sys::set_realtime_priority(1);
        compare(effort)
    });
    measuring.join().map_err(|_| "the codec experiment has panicked")?
}

fn compare(effort: Effort) -> Result<Vec<Figure>> {
    let message = response()?;
    #[cfg(feature = "compare-codecs")]
    let others = others::Others::new(&message)?;
    #[cfg(not(feature = "compare-codecs"))]
    skip(
        "the codecs of rasn-snmp and async-snmp",
        "this build lacks the feature `compare-codecs`; `make bench` builds one that has it",
    );

    let mut buffer = [0; 1472];
    let mut subjects: Vec<Subject<'_>> = vec![
        ("decode", "portreeve", Box::new(|| decode(&message))),
        ("encode", "portreeve", Box::new(|| encode(&mut buffer).map_or(0, |written| written.len()))),
    ];
    #[cfg(feature = "compare-codecs")]
    subjects.extend(others.subjects());
    // First all decoders, then all encoders.
    subjects.sort_by_key(|(work, ..)| *work);
    let samples = measure(&mut subjects, effort);
    let names: Vec<_> = subjects.iter().map(|(work, subject, _)| (*work, *subject)).collect();
    drop(subjects);
    let figures = figures(&names, &samples);
    print_table(&figures, message.len());
    Ok(figures)
}

/// The work, the library, and a function that does the work once. The function returns a result, so
/// that the compiler does not remove the work.
type Subject<'a> = (&'static str, &'static str, Box<dyn FnMut() -> usize + 'a>);

/// Returns nanoseconds per call: for each subject one sample per round.
fn measure(subjects: &mut [Subject<'_>], effort: Effort) -> Vec<Vec<f64>> {
    let time = Duration::from_secs_f64(effort.seconds / 5.0);
    let mut samples = vec![Vec::new(); subjects.len()];
    for _ in 0..effort.rounds {
        for ((_, _, call), samples) in subjects.iter_mut().zip(&mut samples) {
            let (start, mut calls) = (Instant::now(), 0_u32);
            while start.elapsed() < time {
                for _ in 0..CALLS_PER_CLOCK_READING {
                    black_box(call());
                }
                calls += CALLS_PER_CLOCK_READING;
            }
            samples.push(start.elapsed().as_nanos() as f64 / f64::from(calls));
        }
    }
    samples
}

fn figures(names: &[(&'static str, &'static str)], samples: &[Vec<f64>]) -> Vec<Figure> {
    let summary = |samples: &Vec<f64>| {
        Summary::of(samples).map_or((0.0, 0.0), |summary| (summary.minimum, summary.median))
    };
    let portreeve_best = |work| {
        names.iter().position(|name| *name == (work, "portreeve")).map_or(1.0, |i| summary(&samples[i]).0)
    };
    names
        .iter()
        .zip(samples)
        .map(|((work, subject), samples)| {
            let (best, median) = summary(samples);
            Figure {
                experiment: "codec",
                work: format!("{work} a v2c response, {VARIABLES} variables"),
                setting: "",
                subject: (*subject).into(),
                unit: "ns",
                best,
                median,
                n: samples.len(),
                ratios: vec![("portreeve", best / portreeve_best(work))],
                goal: None,
            }
        })
        .collect()
}

fn print_table(figures: &[Figure], octets: usize) {
    println!("Codec: one response of {octets} octets");
    let mut table = Table::new(2, &["work", "library", "best ns", "median ns", "n", "of portreeve's"]);
    for figure in figures {
        table.add_row(vec![
            figure.work.clone(),
            figure.subject.clone(),
            format!("{:.0}", figure.best),
            format!("{:.0}", figure.median),
            figure.n.to_string(),
            figure.ratios.first().map_or(String::new(), |(_, ratio)| format!("{ratio:.1}")),
        ]);
    }
    println!("{}", table.unwrapped());
}

// --- This project's codec.

/// Ten variables of a walk of ifTable.
fn values() -> [(&'static [u32], Value<'static>); VARIABLES] {
    macro_rules! column {
        ($number:literal) => {
            &[1, 3, 6, 1, 2, 1, 2, 2, 1, $number, 107]
        };
    }
    [
        (column!(1), Value::Integer(107)),
        (column!(2), Value::OctetString(b"Ethernet Connection I219-LM")),
        (column!(3), Value::Integer(6)),
        (column!(4), Value::Integer(1500)),
        (column!(5), Value::Gauge32(1_000_000_000)),
        (column!(6), Value::OctetString(&[0x02, 0x42, 0xac, 0x11, 0x00, 0x02])),
        (column!(9), Value::TimeTicks(14_096_763)),
        (column!(10), Value::Counter32(3_221_225_472)),
        (&[1, 3, 6, 1, 2, 1, 31, 1, 1, 1, 6, 107], Value::Counter64(9_007_199_254_740_993)),
        (&[1, 3, 6, 1, 2, 1, 31, 1, 1, 1, 10, 107], Value::Counter64(72_057_594_037_927_936)),
    ]
}

fn response() -> Result<Vec<u8>> {
    Ok(encode(&mut [0; 1472]).ok_or("the response does not fit a datagram")?.to_vec())
}

/// Encodes as a responder does: bindings forwards into a scratch buffer, then headers backwards in
/// front of them.
fn encode(buffer: &mut [u8]) -> Option<&[u8]> {
    let mut writer = ForwardWriter::resume(buffer, HEADROOM);
    for (name, value) in black_box(values()) {
        writer.var_bind(name, &value).ok()?;
    }
    let end = writer.len();
    let mut writer = ReverseWriter::before(buffer, HEADROOM..end);
    prepend_pdu(&mut writer, PduType::Response, 0x5052_4545, 0, 0).ok()?;
    prepend_community_message(&mut writer, MessageProcessingModel::V2c, b"public").ok()?;
    let range = writer.range();
    buffer.get(range)
}

fn decode(message: &[u8]) -> usize {
    let Ok(mut message) = CommunityMessage::parse(black_box(message)) else { return 0 };
    let Ok(pdu) = Pdu::parse(&mut message.pdu) else { return 0 };
    pdu.var_binds.iter().map(|binding| black_box(binding).value.content_len()).sum()
}

const VARIABLES: usize = 10;

/// Number of octets reserved for the headers in front of the bindings.
const HEADROOM: usize = 128;

const CALLS_PER_CLOCK_READING: u32 = 256;
