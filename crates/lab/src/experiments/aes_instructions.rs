//! `aes-instructions`: GETs with large responses, with the processor's AES instructions and without
//! them.
//!
//! aws-lc, which SSH, TLS 1.3 and DTLS 1.3 use, and OpenSSL, which DTLS 1.2 and snmpd use, read the
//! environment variable `OPENSSL_ia32cap`: it hides instructions from them. It does not affect the
//! crate `aes`, which our USM uses: this crate asks the processor itself.

mod draw;

use std::fs;

use portreeve_lab_report::sample::Variant;

use crate::client::{Carrier, Job, Message, Operation, ProtocolStack};
use crate::error::Result as LabResult;
use crate::harness::{Context, Experiment, Need, Outcome, Peer, Prepared, Skipped};
use crate::peers::{AGENT_CORE, Environment, Site, SiteOptions, on_core};
use crate::process::{find, output};
use crate::requests::SYS_DESCR;

/// The experiment.
pub(super) static EXPERIMENT: Experiment = Experiment {
    name: NAME,
    title: "AES instructions of the processor",
    papers: &[],
    needs: &[Need::Ours("portreeved")],
    accepts_target: false,
    prepare,
    draw: draw::draw,
};

struct AesInstructions {
    sites: Vec<Subject>,
    variants: Vec<Variant>,
    unavailable: Vec<(Variant, Skipped)>,
    requests: usize,
}

/// An agent and a client with or without AES instructions.
struct Subject {
    agent: &'static str,
    aes: &'static str,
    site: Site,
}

fn prepare(context: &Context) -> Result<Box<dyn Prepared>, Skipped> {
    require_instructions()?;
    let mut prepared = AesInstructions {
        sites: Vec::new(),
        variants: Vec::new(),
        unavailable: Vec::new(),
        requests: context.effort().choose(QUICK_REQUESTS, REQUESTS),
    };
    for (aes, environment) in [(ON, WITH_AES), (OFF, WITHOUT_AES)] {
        let options = SiteOptions { environment, ..SiteOptions::default() };
        prepared.add(OURS, aes, Site::ours(context, options)?);
        if context.wants(Peer::NetSnmp) {
            let agent = Peer::NetSnmp.name();
            let site = match context.has_namespaces() {
                true => Site::net_snmp(context, options).map_err(Skipped::from),
                false => Err(Skipped("two snmpds would use the same ports without namespaces".into())),
            };
            match site {
                Ok(site) => prepared.add(agent, aes, site),
                Err(error) => {
                    let variant = Variant::of([("agent", agent), ("aes", aes)]);
                    prepared.unavailable.push((variant, error));
                }
            }
        }
    }
    let speeds = [ON, OFF].map(|aes| Variant::of([("agent", OPENSSL), ("aes", aes)]));
    match find("openssl") {
        Some(_) => prepared.variants.extend(speeds),
        None => {
            let reason = Skipped("openssl is not installed (Debian: openssl)".into());
            prepared.unavailable.push((Variant::of([("agent", OPENSSL)]), reason));
        }
    }
    Ok(Box::new(prepared))
}

/// Checks that the libraries can use AES instructions, and that these can be hidden from them.
fn require_instructions() -> Result<(), Skipped> {
    if !cfg!(target_arch = "x86_64") {
        return Err(Skipped("OPENSSL_ia32cap hides AES instructions only on x86-64".into()));
    }
    let text = fs::read_to_string("/proc/cpuinfo")?;
    let flags = text.lines().find(|line| line.starts_with("flags")).unwrap_or_default();
    if flags.split_whitespace().any(|flag| flag == "aes") {
        Ok(())
    } else {
        Err(Skipped("the processor has no AES instructions".into()))
    }
}

impl AesInstructions {
    fn add(&mut self, agent: &'static str, aes: &'static str, site: Site) {
        for stack in STACKS {
            let variant = Variant::of([("agent", agent), ("aes", aes)]).and("stack", stack.id());
            let is_fixed = agent == OURS && aes == OFF && stack == USM;
            match site.check(stack) {
                Ok(()) if is_fixed => self.unavailable.push((variant, Skipped(FIXED.into()))),
                Ok(()) => self.variants.push(variant),
                Err(reason) => self.unavailable.push((variant, reason)),
            }
        }
        self.sites.push(Subject { agent, aes, site });
    }
}

impl Prepared for AesInstructions {
    fn variants(&self) -> Vec<Variant> {
        self.variants.clone()
    }

    fn unavailable(&self) -> Vec<(Variant, Skipped)> {
        self.unavailable.clone()
    }

    fn measure(&mut self, variant: &Variant, _: usize) -> Result<Outcome, Skipped> {
        if variant.get("agent") == Some(OPENSSL) {
            let environment = if variant.get("aes") == Some(OFF) { WITHOUT_AES } else { WITH_AES };
            return Ok(Outcome::default().value("octet_rate", openssl_speed(environment)?));
        }
        let stack: ProtocolStack = variant.get("stack").unwrap_or_default().parse()?;
        let subject = self.sites.iter_mut().find(|subject| {
            variant.get("agent") == Some(subject.agent) && variant.get("aes") == Some(subject.aes)
        });
        let site = &mut subject.ok_or("unknown variant")?.site;
        let names = vec![[SYS_DESCR, &[0]].concat(); VARIABLES];
        let get = |count| Job::new(stack, Operation::Get { names: names.clone(), count });
        // The first session is not measured: its caches are cold after the other variants.
        site.run(get(1))?;
        let measured = site.run(get(self.requests))?;
        let phases = measured.sessions.first().ok_or("the client has measured nothing")?;
        let requests = self.requests as f64;
        Ok(Outcome::default()
            .value("exchange", phases.rest / (requests - 1.0))
            .value("client_cpu", phases.cpu / requests)
            .known("agent_cpu", measured.agent_cpu.map(|seconds| seconds / requests)))
    }
}

/// Returns the number of octets that OpenSSL encrypts with AES-128-GCM in a second.
fn openssl_speed(environment: Environment) -> LabResult<f64> {
    let openssl = find("openssl").ok_or("openssl is not installed (Debian: openssl)")?;
    let mut command = on_core(Some(AGENT_CORE), &openssl)?;
    command.args(["speed", "-seconds", "1", "-bytes", "8192", "-evp", "aes-128-gcm"]);
    parse_speed(&output(command.envs(environment.iter().copied()))?)
}

/// Parses the last line of `openssl speed`, which contains the thousands of octets.
fn parse_speed(text: &str) -> LabResult<f64> {
    let line = text.lines().last().unwrap_or_default();
    let number = line.split_whitespace().last().and_then(|word| word.strip_suffix('k')?.parse::<f64>().ok());
    Ok(number.ok_or_else(|| format!("unexpected output of openssl speed: '{line}'"))? * 1000.0)
}

const NAME: &str = "aes-instructions";
const OURS: &str = "portreeved";
/// `openssl speed`, in variants.
const OPENSSL: &str = "openssl speed";
/// AES instructions are used, or hidden from the libraries.
const ON: &str = "on";
const OFF: &str = "off";
const WITH_AES: Environment = &[];
/// Hides AES and PCLMULQDQ, then VAES and VPCLMULQDQ.
const WITHOUT_AES: Environment = &[("OPENSSL_ia32cap", "~0x200000200000000:~0x60000000000")];
const FIXED: &str =
    "the crate aes can be built without AES instructions, but has no setting for them at run time";

const USM: ProtocolStack = ProtocolStack::new(Message::USM_SHA256_AES128, Carrier::Udp);
const STACKS: [ProtocolStack; 5] = [
    ProtocolStack::tsm(Carrier::Ssh),
    ProtocolStack::tsm(Carrier::Tls),
    ProtocolStack::tsm(Carrier::Dtls12),
    ProtocolStack::tsm(Carrier::Dtls13),
    USM,
];

/// The number of variables in each GET. The response has 7 kB.
const VARIABLES: usize = 100;
const REQUESTS: usize = 1000;
const QUICK_REQUESTS: usize = 50;

#[cfg(test)]
mod tests {
    use super::parse_speed;

    #[test]
    fn speed_is_parsed_from_the_last_line() {
        let text = "version: 3.0.19\ntype  8192 bytes\nAES-128-GCM  4986627.94k\n";
        assert!((parse_speed(text).unwrap() - 4_986_627_940.0).abs() < 1.0);
        assert!(parse_speed("type  8192 bytes\n").is_err());
    }
}
