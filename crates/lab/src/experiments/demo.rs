//! `demo`: the table of `lab demo`, measured by the harness: the first answer and a walk over every
//! transport of the demo's agent, on the loopback interface.

use std::path::PathBuf;

use portreeve_lab_demo::access_methods::{self, AccessMethod};
use portreeve_lab_demo::agent::Demo;
use portreeve_lab_demo::cost::Cost;
use portreeve_lab_demo::frames::FrameCounter;
use portreeve_lab_report::document::{Cell, Section, Table};
use portreeve_lab_report::sample::Variant;
use portreeve_lab_report::samples::Samples;
use portreeve_lab_report::unit::Unit;

use crate::harness::{Context, Experiment, Need, Outcome, Prepared, Skipped};
use crate::process::own_program;

/// The experiment.
pub(super) static EXPERIMENT: Experiment = Experiment {
    name: NAME,
    title: "The demo's table: the first answer and a walk over every transport",
    papers: &[],
    needs: &[Need::Ours("portreeved"), Need::Ours("portreeve")],
    accepts_target: false,
    prepare,
    draw,
};

/// The demo's agent, which is stopped on drop.
struct Methods {
    portreeve: PathBuf,
    methods: Vec<(Variant, AccessMethod)>,
    _demo: Demo,
}

fn prepare(context: &Context) -> Result<Box<dyn Prepared>, Skipped> {
    let demo = Demo::start(&own_program("portreeved")?, &context.directory(NAME)?.join("agent"))?;
    let methods = access_methods::all(&demo)?;
    let methods = methods.into_iter().map(|method| (variant(&method), method)).collect();
    Ok(Box::new(Methods { portreeve: own_program("portreeve")?, methods, _demo: demo }))
}

fn variant(method: &AccessMethod) -> Variant {
    Variant::of([("transport", method.transport), ("security", method.security.as_str())])
}

impl Prepared for Methods {
    fn variants(&self) -> Vec<Variant> {
        self.methods.iter().map(|(variant, _)| variant.clone()).collect()
    }

    fn measure(&mut self, variant: &Variant, _: usize) -> Result<Outcome, Skipped> {
        let found = self.methods.iter().find(|(known, _)| known == variant);
        let (_, method) = found.ok_or("unknown variant")?;
        let cost = Cost::of_round(&self.portreeve, method)?;
        // A single round cannot show that no other program has sent frames.
        let frames = cost.frames.filter(|_| !FrameCounter::includes_other_programs());
        Ok(Outcome::default()
            .value("time", cost.first)
            .value("walk", cost.walk)
            .value("objects", cost.objects)
            .known("frames", frames.map(|frames| frames.packets))
            .known("octets", frames.map(|frames| frames.octets)))
    }
}

/// Fills the section.
fn draw(samples: &Samples, section: &mut Section) {
    section.paragraph(
        "The first answer is a whole command that reads one value, including discovery or the session's handshake. \
         The walk reads ifTable of this machine by GETNEXT, from the first request to the last response. Frames and \
         octets are those of the walk and its handshake on the loopback interface, whose frames are larger than those \
         of Ethernet.",
    );
    let all = samples.experiment(NAME);
    let mut table = Table::new("The costs of every transport, as the demo shows them")
        .column("Transport")
        .column("Security")
        .column("First answer")
        .column("Walk")
        .column_with("Walk", "each object")
        .column("Frames")
        .column("Octets");
    let of_transport = |transport: &&str| all.with("transport", transport).variants();
    for variant in TRANSPORTS.iter().flat_map(of_transport) {
        let of = all.only(variant);
        let mut cells: Vec<Cell> =
            ["transport", "security"].map(|axis| Cell::text(variant.get(axis).unwrap_or_default())).into();
        cells.extend(["time", "walk"].map(|value| Cell::of(&of, value, Unit::Seconds)));
        let each = of.derived(|sample| Some(sample.values.get("walk")? / sample.values.get("objects")?));
        cells.push(each.map_or_else(|| Cell::missing(&of), |each| Cell::measured(each, Unit::Seconds)));
        cells.push(Cell::of(&of, "frames", Unit::Count));
        cells.push(Cell::of(&of, "octets", Unit::Octets));
        table.row(cells);
    }
    section.table(table);
}

const NAME: &str = "demo";
/// The transports in the order of the table.
const TRANSPORTS: [&str; 5] = ["udp", "tcp", "ssh", "tls", "dtls"];
