//! The HTTP responses by path.

use std::{
    net::{Ipv4Addr, Ipv6Addr},
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

/// Returns the response to one request.
pub(super) fn handle(head: &RequestHead, shared: &SharedState) -> HttpResponse {
    shared.requests.fetch_add(1, Ordering::Relaxed);
    if let Some(host) = head.host.as_deref()
        && !is_known_host(host, shared.plan().prometheus.as_ref().map_or(&[], |config| &config.hosts))
    {
        return HttpResponse::text(403, "unknown name in the Host header: add it to `hosts` in [prometheus]");
    }
    let reads = matches!(&*head.method, "GET" | "HEAD");
    match &*head.path {
        "/-/reload" => match &*head.method {
            // A web page in the operator's browser must not be able to cause a reload.
            _ if head.has_origin => HttpResponse::text(403, "requests from other sites are not allowed"),
            "POST" | "PUT" => match shared.reload() {
                Ok(()) => HttpResponse::text(200, "the configuration was reloaded"),
                Err(error) => HttpResponse::text(500, error),
            },
            _ => HttpResponse::text(405, "use POST or PUT"),
        },
        "/" | "/-/healthy" | "/metrics" | "/snmp" if !reads => HttpResponse::text(405, "use GET"),
        "/" => HttpResponse::text(200, PATHS),
        "/-/healthy" => HttpResponse::text(200, "healthy"),
        "/metrics" => HttpResponse::exposition(metrics(shared)),
        "/snmp" => snmp(head, shared),
        _ => HttpResponse::text(404, PATHS),
    }
}

/// Returns true if a `Host` header contains an address, localhost, or one of `names`.
///
/// The owner of a web page can change the address of its host name to that of this endpoint (DNS
/// rebinding). The browser then lets the page read the responses, but sends the host name in this
/// header.
fn is_known_host(header: &str, names: &[String]) -> bool {
    let header = header.trim();
    let without_port = match header.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|octet| octet.is_ascii_digit()) => host,
        _ => header,
    };
    let bracketed = without_port.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    if bracketed.is_some_and(|host| host.parse::<Ipv6Addr>().is_ok())
        || without_port.parse::<Ipv4Addr>().is_ok()
    {
        return true;
    }
    let host = without_port.strip_suffix('.').unwrap_or(without_port);
    let matches = |name: &str| host.eq_ignore_ascii_case(name.strip_suffix('.').unwrap_or(name));
    matches("localhost") || names.iter().any(|name| matches(name))
}

/// Scrapes an agent and returns its metrics.
fn snmp(head: &RequestHead, shared: &SharedState) -> HttpResponse {
    let started = Instant::now();
    let scrape_request = match request::authorize(head, &shared.plan()) {
        Ok(scrape_request) => scrape_request,
        Err(handle) => return handle,
    };
    shared.scrapes.fetch_add(1, Ordering::Relaxed);
    // Prometheus does not wait for a response after its timeout.
    let scrape_timeout = head.scrape_timeout.map_or(MAX_SCRAPE_TIME, |scrape_timeout| {
        scrape_timeout.saturating_sub(RESPONSE_MARGIN).min(MAX_SCRAPE_TIME)
    });
    let mut exposition = Exposition::default();
    let outcome = Scrape::start(&scrape_request, started + scrape_timeout).and_then(|mut scrape| {
        for (module, group) in &scrape_request.modules {
            let result = scrape.read(group)?;
            let labels = [("module", &**module)];
            // Several groups may contain the same object. If more than one group is scraped, the
            // name of the group is therefore a label of each sample.
            let common = if scrape_request.modules.len() > 1 { &labels[..] } else { &[] };
            exposition.add_variables(result.variables.iter(), &group.labels, common);
            exposition.add_metric(WALK_SECONDS, &labels, result.time.as_secs_f64());
            exposition.add_metric(PACKETS, &labels, result.statistics.messages_out);
            exposition.add_metric(PDUS, &labels, result.statistics.variables);
            exposition.add_metric(SECONDS, &labels, started.elapsed().as_secs_f64());
        }
        Ok(())
    });
    match outcome {
        Ok(()) => HttpResponse::exposition(exposition.finish()),
        Err(error) => {
            shared.failed_scrapes.fetch_add(1, Ordering::Relaxed);
            HttpResponse::text(500, format!("target {}: {error}", scrape_request.address.host))
        }
    }
}

/// Returns the last results of all targets and the metrics of the poller itself.
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

/// The name, the type and the help text of a metric.
type Metric = (&'static str, &'static str, &'static str);

const SECONDS: Metric =
    ("snmp_scrape_duration_seconds", "gauge", "Time from the request to the last response for the module.");
const WALK_SECONDS: Metric = ("snmp_scrape_walk_duration_seconds", "gauge", "Time spent querying the agent.");
const PACKETS: Metric =
    ("snmp_scrape_packets_sent", "gauge", "SNMP messages sent, including retransmissions.");
const PDUS: Metric = ("snmp_scrape_pdus_returned", "gauge", "Variable bindings that the agent returned.");

const UP: Metric = ("portreeve_poll_up", "gauge", "1 if the target responded to its last request, else 0.");
const RESPONSES: Metric =
    ("portreeve_poll_responses_total", "counter", "Number of responses from the target.");
const FAILURES: Metric =
    ("portreeve_poll_failures_total", "counter", "Number of requests to which the target did not respond.");
const RESTARTS: Metric =
    ("portreeve_poll_restarts_total", "counter", "Number of responses that showed a restart of the target.");
const LAST_RESPONSE: Metric = (
    "portreeve_poll_last_response_timestamp_seconds",
    "gauge",
    "Time of the last response, in seconds since 1970.",
);
const TARGETS: Metric = ("portreeve_poll_targets", "gauge", "Number of configured targets.");
const RELOADED: Metric =
    ("portreeve_poll_config_last_reload_successful", "gauge", "1 if the last reload succeeded, else 0.");
const REQUESTS: Metric =
    ("portreeve_poll_http_requests_total", "counter", "Number of HTTP requests that the poller received.");
const SCRAPES: Metric =
    ("portreeve_poll_scrapes_total", "counter", "Number of queries sent to agents to answer HTTP requests.");
const FAILED_SCRAPES: Metric = (
    "portreeve_poll_failed_scrapes_total",
    "counter",
    "Number of failed queries sent to agents to answer HTTP requests.",
);

const PATHS: &str =
    "/metrics: the last results\n/snmp?target=&auth=&module=: queries an agent now\n/-/healthy\n/-/reload";
/// The maximum time for the scrape of one HTTP request.
const MAX_SCRAPE_TIME: Duration = Duration::from_secs(60);
/// The part of Prometheus' timeout that is reserved for sending the response.
const RESPONSE_MARGIN: Duration = Duration::from_millis(500);

#[cfg(test)]
mod tests;
