//! Prints how many octets per second the tokenizer reads, and quick-xml in the same run.
//!
//! ```sh
//! cargo run --release -p portreeve-yang-text --example tokenizer_throughput
//! ```
//! The document has the shape of an edit of 100 000 leafs, with texts of several lengths. quick-xml
//! reads it with namespaces resolved, from one text whose UTF-8 is checked; it checks no
//! characters.

#![expect(clippy::print_stdout, reason = "prints its result")]

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

use portreeve_yang_text::xml::{Event, Tokenizer};
use quick_xml::events::Event as OtherEvent;
use quick_xml::reader::NsReader;

const REPETITIONS: usize = 9;
const PIECE: usize = 64 << 10;

fn main() -> Result<(), Box<dyn Error>> {
    println!("text octets  tokenizer GB/s  quick-xml GB/s  ratio");
    for length in [16, 64, 255, 4096] {
        let document = document(length);
        let (mut ours, mut others) = (Duration::MAX, Duration::MAX);
        // Alternating runs see the same load of the machine.
        for _ in 0..REPETITIONS {
            ours = ours.min(timed(|| read(&document))?);
            others = others.min(timed(|| read_with_quick_xml(&document))?);
        }
        let speed = |time: Duration| document.len() as f64 / time.as_secs_f64() / 1e9;
        let (ours, others) = (speed(ours), speed(others));
        println!("{length:11}  {ours:14.2}  {others:14.2}  {:5.2}", ours / others);
    }
    Ok(())
}

fn document(text: usize) -> Vec<u8> {
    let entries = 27_000_000 / (10 * (text + 40));
    let value: String = ('a'..='z').chain('0'..='9').cycle().take(text).collect();
    let leafs: String =
        (0..10).map(|number| format!("\n      <text-{number}>{value}</text-{number}>")).collect();
    let entries: String = (0..entries)
        .map(|number| format!("\n    <entry>\n      <index>{number}</index>{leafs}\n    </entry>"))
        .collect();
    format!("<config>\n  <stairs xmlns=\"urn:example:stair\">{entries}\n  </stairs>\n</config>").into_bytes()
}

fn timed<E>(work: impl Fn() -> Result<usize, E>) -> Result<Duration, E> {
    let start = Instant::now();
    black_box(work()?);
    Ok(start.elapsed())
}

fn read(document: &[u8]) -> Result<usize, Box<dyn Error>> {
    let (mut tokenizer, mut sum) = (Tokenizer::new(), 0);
    for mut octets in document.chunks(PIECE) {
        while let Some(event) = tokenizer.next_event(&mut octets)? {
            sum += match event {
                Event::Start(start) => start.name.namespace.len() + start.name.local.len(),
                Event::Text(text) => text.len(),
                Event::End(_) => 1,
            };
        }
    }
    tokenizer.finish()?;
    Ok(sum)
}

fn read_with_quick_xml(document: &[u8]) -> Result<usize, Box<dyn Error>> {
    let mut reader = NsReader::from_str(std::str::from_utf8(document)?);
    let mut sum = 0;
    loop {
        let (namespace, event) = reader.read_resolved_event()?;
        sum += match event {
            OtherEvent::Start(start) => start.local_name().into_inner().len() + size_of_val(&namespace),
            OtherEvent::Text(text) => text.len(),
            OtherEvent::End(_) => 1,
            OtherEvent::Eof => return Ok(sum),
            _ => 0,
        };
    }
}
