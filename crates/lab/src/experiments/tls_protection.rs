//! `tls-protection`: sessions over TLS 1.3 whose records have no protection, integrity only, or
//! integrity and encryption (paper 002 Table 1).
//!
//! ```text
//! manager's namespace                       agent's namespace
//! thread: lab-tls, GET ──── observer ────── thread: lab-tls, answer
//! ```
//! portreeved cannot send without encryption. Both ends are threads of the lab, which parse and
//! encode messages with Portreeve's codec; the one that answers has no access control and one
//! object. OpenSSL's cipher suites NULL-SHA256 and AES128-SHA256 of TLS 1.2 check the cost of
//! encryption, with as many messages of about the same length.

mod draw;
mod ends;
mod openssl;

use portreeve_lab_net::{Detail, Topology};
use portreeve_lab_report::sample::Variant;
use portreeve_lab_tls::Protection;

use crate::harness::{Context, Experiment, Outcome, Prepared, Skipped};
use crate::peers::Observation;
use ends::{Responder, Session, mean_message_len};
use openssl::{Exchanges, OpenSsl, PROTECTIONS};

/// The experiment.
pub(super) static EXPERIMENT: Experiment = Experiment {
    name: NAME,
    title: "TLS with less protection",
    papers: &["002 Table 1"],
    needs: &[],
    accepts_target: false,
    prepare,
    draw: draw::draw,
};

struct Protections {
    responders: Vec<(Protection, Responder)>,
    /// Dropped before the place in which its servers run.
    openssl: Result<OpenSsl, Skipped>,
    pcap: Option<std::path::PathBuf>,
    sessions: usize,
    // Dropped last: the responders run in the agent's namespace.
    topology: Topology,
}

fn prepare(context: &Context) -> Result<Box<dyn Prepared>, Skipped> {
    let topology = context.topology()?;
    let responders =
        Protection::ALL.map(|protection| Ok((protection, Responder::start(&topology, protection)?)));
    Ok(Box::new(Protections {
        responders: responders.into_iter().collect::<Result<_, Skipped>>()?,
        openssl: OpenSsl::start(context, &topology, mean_message_len()?),
        pcap: context.pcap_directory().map(std::path::Path::to_owned),
        sessions: context.effort().choose(2, 10),
        topology,
    }))
}

impl Prepared for Protections {
    fn variants(&self) -> Vec<Variant> {
        let own = Protection::ALL.iter().flat_map(|protection| {
            [SHORT, LONG].map(|length| variant(OURS, *protection).and("messages", length.to_string()))
        });
        let peer =
            PROTECTIONS.map(|protection| variant(OPENSSL, protection).and("messages", LONG.to_string()));
        own.chain(peer.into_iter().filter(|_| self.openssl.is_ok())).collect()
    }

    fn unavailable(&self) -> Vec<(Variant, Skipped)> {
        let reason = "TLS 1.3 has no cipher suite that encrypts without integrity, and no compression";
        let privacy = (Variant::of([("by", OURS), ("protection", PRIVACY)]), Skipped(reason.into()));
        let openssl =
            self.openssl.as_ref().err().map(|reason| (Variant::of([("by", OPENSSL)]), reason.clone()));
        [privacy].into_iter().chain(openssl).collect()
    }

    fn measure(&mut self, variant: &Variant, round: usize) -> Result<Outcome, Skipped> {
        let wanted = variant.get("protection").unwrap_or_default();
        let protection = Protection::from_name(wanted);
        let protection = protection.ok_or("unknown variant")?;
        let messages: usize = variant.get("messages").unwrap_or_default().parse()?;
        if variant.get("by") == Some(OPENSSL) {
            return self.measure_openssl(protection, messages);
        }
        let found = self.responders.iter_mut().find(|(known, _)| *known == protection);
        let (_, responder) = found.ok_or("unknown variant")?;
        // The first session is not measured: its caches are cold after the other variants.
        responder.session(&self.topology, messages)?;
        let sessions: Vec<Session> = (0..self.sessions)
            .map(|_| responder.session(&self.topology, messages))
            .collect::<Result<_, _>>()?;
        let median = |value: fn(&Session) -> f64| median(&sessions, value);
        let outcome = Outcome::default()
            .value("time", median(|session| session.total))
            .value("open", median(|session| session.open))
            .value("messages", median(|session| session.messages))
            .value("client_cpu", median(|session| session.client_cpu))
            .value("agent_cpu", median(|session| session.agent_cpu));
        if round >= COUNTED_ROUNDS {
            return Ok(outcome);
        }
        let file = format!("{NAME} {variant}").replace(' ', "_");
        let started = Observation::start(&self.topology, self.pcap.as_deref(), &file, Detail::Headers)?;
        let Some(observation) = started else { return Ok(outcome) };
        responder.session(&self.topology, messages)?;
        let totals = observation.finish()?.totals(|_| true);
        Ok(outcome.value("frames", totals.frames() as f64).value("octets", totals.octets() as f64))
    }
}

impl Protections {
    fn measure_openssl(&self, protection: Protection, messages: usize) -> Result<Outcome, Skipped> {
        let openssl = self.openssl.as_ref().map_err(Clone::clone)?;
        let session = || openssl.session(&self.topology, protection, messages);
        let sessions: Vec<Exchanges> = (0..self.sessions).map(|_| session()).collect::<Result<_, _>>()?;
        Ok(Outcome::default()
            .value("messages", median(&sessions, |session| session.messages))
            .value("client_cpu", median(&sessions, |session| session.client_cpu))
            .value("agent_cpu", median(&sessions, |session| session.server_cpu)))
    }
}

/// Returns the median of one value of the sessions.
fn median<S>(sessions: &[S], value: impl Fn(&S) -> f64) -> f64 {
    let values: Vec<f64> = sessions.iter().map(value).collect();
    portreeve_lab_report::statistics::median(&values)
}

fn variant(by: &str, protection: Protection) -> Variant {
    Variant::of([("by", by), ("protection", protection.name())])
}

const NAME: &str = "tls-protection";
const OURS: &str = "lab";
const OPENSSL: &str = "openssl";
const PRIVACY: &str = "privacy";
/// The messages of a short session, and those of the paper's long one.
const SHORT: usize = 1;
const LONG: usize = portreeve_lab_report::papers::paper_002::WALK_MESSAGES;
/// The number of rounds in which frames are counted. Their number hardly varies.
const COUNTED_ROUNDS: usize = 3;
