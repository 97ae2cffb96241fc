//! Writes a report of synthetic samples, to look at its pages:
//! `synthetic_report DIRECTORY [--quick] [--rounds NUMBER]`.
//!
//! Nothing in it was measured. Its title and its first paragraph say so.

mod invented;
mod sections;

use std::path::Path;
use std::{env, fs};

use portreeve_lab_report::document::{Block, Document, Prose};
use portreeve_lab_report::sample::{Environment, Record, RunInfo};
use portreeve_lab_report::samples::Samples;
use portreeve_lab_report::{csv, html, markdown, svg};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let directory = Path::new(arguments.first().ok_or("missing directory")?);
    let quick = arguments.iter().any(|argument| argument == "--quick");
    let rounds = match arguments.iter().skip_while(|argument| *argument != "--rounds").nth(1) {
        Some(number) => number.parse()?,
        None if quick => 2,
        None => 30,
    };
    fs::create_dir_all(directory.join("csv"))?;
    let document = report(rounds, quick)?;
    fs::write(directory.join("report.html"), html::render(&document))?;
    fs::write(directory.join("report.md"), markdown::render(&document))?;
    for (name, contents) in csv::files(&document) {
        fs::write(directory.join("csv").join(name), contents)?;
    }
    let blocks = document.sections.iter().flat_map(|section| &section.blocks);
    let figures = blocks.filter_map(|block| match block {
        Block::Figure(figure) => svg::standalone(figure, document.quick),
        _ => None,
    });
    for (index, figure) in figures.enumerate() {
        fs::write(directory.join(format!("figure-{}.svg", index + 1)), figure)?;
    }
    Ok(())
}

fn report(rounds: usize, quick: bool) -> Result<Document> {
    let lines: Vec<String> = invented::records(rounds).iter().map(Record::to_line).collect();
    let samples = Samples::parse(&(lines.join("\n") + "\n"))?;
    let run = RunInfo {
        seed: 20_261_127,
        budget: 5400.0,
        duration: Some(5311.0),
        quick,
        arguments: ["portreeve", "lab", "run", "all", "--peer", "net-snmp"].map(str::to_owned).to_vec(),
        started: "2026-11-27T12:00:00Z".to_owned(),
        topology: "two network namespaces, joined by a bridge".to_owned(),
        environment: Environment {
            kernel: "6.18".to_owned(),
            system: "Debian 12".to_owned(),
            cpu: "synthetic processor".to_owned(),
            cores: 2,
            memory: 8_000_000_000,
            congestion_control: "cubic".to_owned(),
            file_system: "ext4".to_owned(),
            crypto_instructions: ["aes", "vaes", "sha_ni"].map(str::to_owned).to_vec(),
            versions: [("snmpd", "5.9.3"), ("OpenSSL", "3.0.19")]
                .map(|(name, version)| (name.to_owned(), version.to_owned()))
                .into(),
            commit: "0123456789ab".to_owned(),
            builds: [("portreeved".to_owned(), "0123456789abcdef".to_owned())].into(),
        },
        ..RunInfo::default()
    };
    let mut document = Document::for_run("Synthetic report: no figure in it was measured", &run);
    document.introduction.push(
        Prose::from("This page shows invented samples, to judge its form. ")
            .strong("None of its values was measured."),
    );
    document.push(sections::one_shot(&samples)?);
    document.push(sections::walks(&samples)?);
    document.push(sections::protection(&samples)?);
    document.push(sections::stair(&samples));
    document.push(sections::sequences(&samples));
    Ok(document)
}
