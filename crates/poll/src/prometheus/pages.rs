//! What is answered at which path.

use std::{
    sync::atomic::Ordering,
    time::{Duration, Instant, UNIX_EPOCH},
};

use super::{
    SharedState,
    exposition::Exposition,
    http::{HttpResponse, RequestHead},
    request,
    scrape::Scrape,
};

/// Answers one request.
pub(super) fn handle(head: &RequestHead, shared: &SharedState) -> HttpResponse {
    shared.requests.fetch_add(1, Ordering::Relaxed);
    let reads = matches!(&*head.method, "GET" | "HEAD");
    match &*head.path {
        "/-/reload" => match &*head.method {
            // No page that an operator's browser shows may do this in the operator's name.
            _ if head.has_origin => HttpResponse::text(403, "pages of other sites may not do this"),
            "POST" | "PUT" => match shared.reload() {
                Ok(()) => HttpResponse::text(200, "the file has been read again"),
                Err(why) => HttpResponse::text(500, why),
            },
            _ => HttpResponse::text(405, "this takes POST or PUT"),
        },
        "/" | "/-/healthy" | "/metrics" | "/snmp" if !reads => HttpResponse::text(405, "this takes GET"),
        "/" => HttpResponse::text(200, PATHS),
        "/-/healthy" => HttpResponse::text(200, "healthy"),
        "/metrics" => HttpResponse::exposition(metrics(shared)),
        "/snmp" => snmp(head, shared),
        _ => HttpResponse::text(404, PATHS),
    }
}

/// Asks an agent now.
fn snmp(head: &RequestHead, shared: &SharedState) -> HttpResponse {
    let begun = Instant::now();
    let scrape_request = match request::authorize(head, &shared.plan()) {
        Ok(scrape_request) => scrape_request,
        Err(handle) => return handle,
    };
    shared.scrapes.fetch_add(1, Ordering::Relaxed);
    // What comes after Prometheus has given up is for nobody.
    let scrape_timeout = head.scrape_timeout.map_or(MAX_SCRAPE_TIME, |scrape_timeout| {
        scrape_timeout.saturating_sub(RESPONSE_MARGIN).min(MAX_SCRAPE_TIME)
    });
    let mut exposition = Exposition::default();
    let outcome = Scrape::begin(&scrape_request, begun + scrape_timeout).and_then(|mut scrape| {
        for (module, group) in &scrape_request.modules {
            let found = scrape.read(group)?;
            let labels = [("module", &**module)];
            // Groups may have objects in common: where there are several, each says whose its samples are.
            let common = if scrape_request.modules.len() > 1 { &labels[..] } else { &[] };
            exposition.add_variables(found.variables.iter(), &group.labels, common);
            exposition.add_metric(WALK_SECONDS, &labels, found.time.as_secs_f64());
            exposition.add_metric(PACKETS, &labels, found.statistics.messages_out);
            exposition.add_metric(PDUS, &labels, found.statistics.variables);
            exposition.add_metric(SECONDS, &labels, begun.elapsed().as_secs_f64());
        }
        Ok(())
    });
    match outcome {
        Ok(()) => HttpResponse::exposition(exposition.finish()),
        Err(why) => {
            shared.failed_scrapes.fetch_add(1, Ordering::Relaxed);
            HttpResponse::text(500, format!("target {}: {why}", scrape_request.address.host))
        }
    }
}

/// What the poller knows of itself and of its targets.
fn metrics(shared: &SharedState) -> String {
    let (plan, latest) = (shared.plan(), shared.latest());
    let mut exposition = Exposition::default();
    for target in &plan.targets {
        let Some(state) = latest.get(&target.name) else { continue };
        let labels = [("target", &*target.name)];
        exposition.add_metric(UP, &labels, u8::from(state.is_up));
        exposition.add_metric(RESPONSES, &labels, state.responses);
        exposition.add_metric(FAILURES, &labels, state.failures);
        exposition.add_metric(RESTARTS, &labels, state.restarts);
        if let Some(since) = state.last_response.and_then(|at| at.duration_since(UNIX_EPOCH).ok()) {
            exposition.add_metric(LAST_RESPONSE, &labels, since.as_secs_f64());
        }
        let variables = state.results.values().flat_map(|variables| variables.iter());
        exposition.add_variables(variables, &target.group.labels, &labels);
    }
    exposition.add_metric(TARGETS, &[], plan.targets.len());
    exposition.add_metric(RELOADED, &[], u8::from(!shared.reload_failed.load(Ordering::Relaxed)));
    exposition.add_metric(REQUESTS, &[], shared.requests.load(Ordering::Relaxed));
    exposition.add_metric(SCRAPES, &[], shared.scrapes.load(Ordering::Relaxed));
    exposition.add_metric(FAILED_SCRAPES, &[], shared.failed_scrapes.load(Ordering::Relaxed));
    exposition.finish()
}

/// Name, type and help of a metric.
type Metric = (&'static str, &'static str, &'static str);

const SECONDS: Metric = (
    "snmp_scrape_duration_seconds",
    "gauge",
    "Time from the request to the end of the module's last answer.",
);
const WALK_SECONDS: Metric = ("snmp_scrape_walk_duration_seconds", "gauge", "Time spent asking the agent.");
const PACKETS: Metric =
    ("snmp_scrape_packets_sent", "gauge", "SNMP messages sent, those sent again included.");
const PDUS: Metric = ("snmp_scrape_pdus_returned", "gauge", "Variable bindings that the agent returned.");

const UP: Metric = ("portreeve_poll_up", "gauge", "Whether the target answered its last request.");
const RESPONSES: Metric = ("portreeve_poll_responses_total", "counter", "Requests that the target answered.");
const FAILURES: Metric = ("portreeve_poll_failures_total", "counter", "Requests that came to nothing.");
const RESTARTS: Metric =
    ("portreeve_poll_restarts_total", "counter", "Answers that showed the target to have restarted.");
const LAST_RESPONSE: Metric =
    ("portreeve_poll_last_response_timestamp_seconds", "gauge", "When the target answered last, since 1970.");
const TARGETS: Metric = ("portreeve_poll_targets", "gauge", "Targets that the file has.");
const RELOADED: Metric = (
    "portreeve_poll_config_last_reload_successful",
    "gauge",
    "Whether the file was right when it was last read.",
);
const REQUESTS: Metric = ("portreeve_poll_http_requests_total", "counter", "HTTP requests.");
const SCRAPES: Metric =
    ("portreeve_poll_scrapes_total", "counter", "Agents asked because of an HTTP request.");
const FAILED_SCRAPES: Metric =
    ("portreeve_poll_failed_scrapes_total", "counter", "Such agents that did not answer as they should.");

const PATHS: &str =
    "/metrics: the last results\n/snmp?target=&auth=&module=: asks an agent now\n/-/healthy\n/-/reload";
/// The longest that an agent is asked for one HTTP request.
const MAX_SCRAPE_TIME: Duration = Duration::from_secs(60);
/// What is left of Prometheus' patience for the way back.
const RESPONSE_MARGIN: Duration = Duration::from_millis(500);
