//! What is answered at which path.

use std::{
    sync::atomic::Ordering,
    time::{Duration, Instant, UNIX_EPOCH},
};

use super::{
    Shared,
    exposition::Exposition,
    http::{Answer, Head},
    request,
    scrape::Scrape,
};

/// Answers one request.
pub(super) fn answer(head: &Head, shared: &Shared) -> Answer {
    shared.requests.fetch_add(1, Ordering::Relaxed);
    let reads = matches!(&*head.method, "GET" | "HEAD");
    match &*head.path {
        "/-/reload" => match &*head.method {
            // No page that an operator's browser shows may do this in the operator's name.
            _ if head.from_a_page => Answer::words(403, "pages of other sites may not do this"),
            "POST" | "PUT" => match shared.reload() {
                Ok(()) => Answer::words(200, "the file has been read again"),
                Err(why) => Answer::words(500, why),
            },
            _ => Answer::words(405, "this takes POST or PUT"),
        },
        "/" | "/-/healthy" | "/metrics" | "/snmp" if !reads => Answer::words(405, "this takes GET"),
        "/" => Answer::words(200, PATHS),
        "/-/healthy" => Answer::words(200, "healthy"),
        "/metrics" => Answer::exposition(metrics(shared)),
        "/snmp" => snmp(head, shared),
        _ => Answer::words(404, PATHS),
    }
}

/// Asks an agent now.
fn snmp(head: &Head, shared: &Shared) -> Answer {
    let begun = Instant::now();
    let asked = match request::judge(head, &shared.plan()) {
        Ok(asked) => asked,
        Err(answer) => return answer,
    };
    shared.scrapes.fetch_add(1, Ordering::Relaxed);
    // What comes after Prometheus has given up is for nobody.
    let patience = head.patience.map_or(LONGEST, |patience| patience.saturating_sub(MARGIN).min(LONGEST));
    let mut exposition = Exposition::default();
    let outcome = Scrape::begin(&asked, begun + patience).and_then(|mut scrape| {
        for (module, group) in &asked.modules {
            let found = scrape.read(group)?;
            let labels = [("module", &**module)];
            // Groups may have objects in common: where there are several, each says whose its samples are.
            let common = if asked.modules.len() > 1 { &labels[..] } else { &[] };
            exposition.variables(found.variables.iter(), &group.labels, common);
            exposition.own(WALK_SECONDS, &labels, found.time.as_secs_f64());
            exposition.own(PACKETS, &labels, found.statistics.messages_out);
            exposition.own(PDUS, &labels, found.statistics.variables);
            exposition.own(SECONDS, &labels, begun.elapsed().as_secs_f64());
        }
        Ok(())
    });
    match outcome {
        Ok(()) => Answer::exposition(exposition.finish()),
        Err(why) => {
            shared.failed_scrapes.fetch_add(1, Ordering::Relaxed);
            Answer::words(500, format!("target {}: {why}", asked.address.host))
        }
    }
}

/// What the poller knows of itself and of its targets.
fn metrics(shared: &Shared) -> String {
    let (plan, latest) = (shared.plan(), shared.latest());
    let mut exposition = Exposition::default();
    for target in &plan.targets {
        let Some(standing) = latest.get(&target.name) else { continue };
        let labels = [("target", &*target.name)];
        exposition.own(UP, &labels, u8::from(standing.is_up));
        exposition.own(ANSWERS, &labels, standing.answers);
        exposition.own(FAILURES, &labels, standing.failures);
        exposition.own(RESTARTS, &labels, standing.restarts);
        if let Some(since) = standing.answered_at.and_then(|at| at.duration_since(UNIX_EPOCH).ok()) {
            exposition.own(ANSWERED, &labels, since.as_secs_f64());
        }
        let variables = standing.results.values().flat_map(|variables| variables.iter());
        exposition.variables(variables, &target.group.labels, &labels);
    }
    exposition.own(TARGETS, &[], plan.targets.len());
    exposition.own(RELOADED, &[], u8::from(!shared.reload_failed.load(Ordering::Relaxed)));
    exposition.own(REQUESTS, &[], shared.requests.load(Ordering::Relaxed));
    exposition.own(SCRAPES, &[], shared.scrapes.load(Ordering::Relaxed));
    exposition.own(FAILED_SCRAPES, &[], shared.failed_scrapes.load(Ordering::Relaxed));
    exposition.finish()
}

/// Name, type and help of a metric.
type Own = (&'static str, &'static str, &'static str);

const SECONDS: Own = (
    "snmp_scrape_duration_seconds",
    "gauge",
    "Time from the request to the end of the module's last answer.",
);
const WALK_SECONDS: Own = ("snmp_scrape_walk_duration_seconds", "gauge", "Time spent asking the agent.");
const PACKETS: Own = ("snmp_scrape_packets_sent", "gauge", "SNMP messages sent, those sent again included.");
const PDUS: Own = ("snmp_scrape_pdus_returned", "gauge", "Variable bindings that the agent returned.");

const UP: Own = ("portreeve_poll_up", "gauge", "Whether the target answered its last request.");
const ANSWERS: Own = ("portreeve_poll_answers_total", "counter", "Requests that the target answered.");
const FAILURES: Own = ("portreeve_poll_failures_total", "counter", "Requests that came to nothing.");
const RESTARTS: Own =
    ("portreeve_poll_restarts_total", "counter", "Answers that showed the target to have restarted.");
const ANSWERED: Own =
    ("portreeve_poll_last_answer_timestamp_seconds", "gauge", "When the target answered last, since 1970.");
const TARGETS: Own = ("portreeve_poll_targets", "gauge", "Targets that the file has.");
const RELOADED: Own = (
    "portreeve_poll_config_last_reload_successful",
    "gauge",
    "Whether the file was right when it was last read.",
);
const REQUESTS: Own = ("portreeve_poll_http_requests_total", "counter", "HTTP requests.");
const SCRAPES: Own = ("portreeve_poll_scrapes_total", "counter", "Agents asked because of an HTTP request.");
const FAILED_SCRAPES: Own =
    ("portreeve_poll_failed_scrapes_total", "counter", "Such agents that did not answer as they should.");

const PATHS: &str =
    "/metrics: the last results\n/snmp?target=&auth=&module=: asks an agent now\n/-/healthy\n/-/reload";
/// The longest that an agent is asked for one HTTP request.
const LONGEST: Duration = Duration::from_secs(60);
/// What is left of Prometheus' patience for the way back.
const MARGIN: Duration = Duration::from_millis(500);
