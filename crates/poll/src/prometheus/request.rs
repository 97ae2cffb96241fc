//! Parses and authorizes `/snmp?target=&auth=&module=`.
//!
//! Each scrape exposes a credential to the target: the community itself, or messages that allow an
//! offline attack on the pass phrase. A credential is therefore sent only to addresses that the
//! configuration file allows for it.

use std::{
    net::{IpAddr, ToSocketAddrs},
    sync::Arc,
    time::Duration,
};

use portreeve_smi::Oid;
use portreeve_snmp_manager::{Family, PeerAddress};

use super::http::{HttpResponse, RequestHead};
use crate::{Credential, ObjectGroup, PollPlan, PrometheusConfig, Target};

/// A scrape that the plan allows.
pub(super) struct ScrapeRequest {
    pub(super) address: PeerAddress,
    pub(super) credential: Arc<Credential>,
    pub(super) context: Vec<u8>,
    /// The timeout of one SNMP request.
    pub(super) timeout: Duration,
    /// The groups of objects to read, with their names in the results.
    pub(super) modules: Vec<(String, Arc<ObjectGroup>)>,
}

/// Authorizes a request by `plan`. A forbidden or invalid request gives an error response.
pub(super) fn authorize(head: &RequestHead, plan: &PollPlan) -> Result<ScrapeRequest, HttpResponse> {
    let target = parameter(head, "target")?;
    let target = target.ok_or_else(|| HttpResponse::text(400, "`target` is missing"))?;
    let (auth, module) = (parameter(head, "auth")?, parameter(head, "module")?);
    let address: Result<PeerAddress, _> = target.parse();
    let configured = plan.targets.iter().find(|known| *known.name == *target);
    let configured = configured
        .or_else(|| plan.targets.iter().find(|known| address.as_ref().is_ok_and(|at| *at == known.address)));
    let credential = credential(plan, configured, auth)?;
    let modules = modules(plan, configured, module)?;
    let (address, context, timeout) = match configured {
        Some(target) => (target.address.clone(), target.context.clone(), target.timeout),
        None => {
            let address = address.map_err(|error| HttpResponse::text(400, format!("target: {error}")))?;
            (authorize_address(address, plan.prometheus.as_ref())?, Vec::new(), TIMEOUT)
        }
    };
    Ok(ScrapeRequest { address, credential, context, timeout, modules })
}

fn parameter<'h>(head: &'h RequestHead, name: &str) -> Result<Option<&'h str>, HttpResponse> {
    let mut resolved = head.query.iter().filter(|(given, value)| given == name && !value.is_empty());
    let value = resolved.next().map(|(_, value)| &**value);
    match resolved.next() {
        None => Ok(value),
        Some(_) => Err(HttpResponse::text(400, format!("`{name}` is given more than once"))),
    }
}

fn credential(
    plan: &PollPlan,
    configured: Option<&Target>,
    auth: Option<&str>,
) -> Result<Arc<Credential>, HttpResponse> {
    let name = match (auth, configured) {
        (None, Some(target)) => return Ok(Arc::clone(&target.credential)),
        (auth, _) => auth.unwrap_or(DEFAULT_AUTH),
    };
    let resolved = plan.credentials.get(name);
    let resolved = resolved
        .ok_or_else(|| HttpResponse::text(400, format!("unknown auth: no section [credentials.{name}]")))?;
    let own = configured.is_some_and(|target| Arc::ptr_eq(&target.credential, resolved));
    let listed =
        plan.prometheus.as_ref().is_some_and(|own| own.credentials.iter().any(|listed| listed == name));
    if own || listed {
        return Ok(Arc::clone(resolved));
    }
    Err(HttpResponse::text(
        403,
        format!("auth {name} is not allowed for this target: add it to `credentials` in [prometheus]"),
    ))
}

fn modules(
    plan: &PollPlan,
    configured: Option<&Target>,
    module: Option<&str>,
) -> Result<Vec<(String, Arc<ObjectGroup>)>, HttpResponse> {
    let names = match (module, configured) {
        (None, Some(target)) => return Ok(vec![(TARGET_MODULE.to_owned(), Arc::clone(&target.group))]),
        (module, _) => module.unwrap_or(DEFAULT_MODULE),
    };
    let mut resolved: Vec<(String, Arc<ObjectGroup>)> = Vec::new();
    for name in names.split(',').filter(|name| !name.is_empty()) {
        let group = match plan.groups.get(name) {
            Some(group) => Arc::clone(group),
            None if name == DEFAULT_MODULE => Arc::new(interfaces()),
            None => {
                return Err(HttpResponse::text(400, format!("unknown module: no section [objects.{name}]")));
            }
        };
        if resolved.iter().all(|(known, _)| known != name) {
            resolved.push((name.to_owned(), group));
        }
    }
    Ok(resolved)
}

/// Returns the resolved address if the configuration allows it, so that exactly the authorized
/// address is queried.
fn authorize_address(
    address: PeerAddress,
    allowed: Option<&PrometheusConfig>,
) -> Result<PeerAddress, HttpResponse> {
    let networks = allowed.map_or(&[][..], |allowed| &allowed.targets);
    let forbidden = |what: &str| {
        HttpResponse::text(
            403,
            format!("target {what} is not configured: add it to `targets` in [prometheus]"),
        )
    };
    if networks.is_empty() {
        return Err(forbidden(&address.host));
    }
    let resolved = (&*address.host, address.port)
        .to_socket_addrs()
        .map_err(|error| HttpResponse::text(400, format!("target {}: {error}", address.host)))?;
    let mut candidates = resolved.map(|at| at.ip()).filter(|ip| match address.family {
        Some(Family::V4) => ip.is_ipv4(),
        Some(Family::V6) => ip.is_ipv6(),
        None => true,
    });
    let ip: IpAddr = candidates
        .find(|ip| networks.iter().any(|network| network.contains(*ip)))
        .ok_or_else(|| forbidden(&address.host))?;
    let family = Some(if ip.is_ipv4() { Family::V4 } else { Family::V6 });
    Ok(PeerAddress { host: ip.to_string(), family, ..address })
}

/// Returns the objects that snmp_exporter reads with its module of this name.
fn interfaces() -> ObjectGroup {
    let named = |names: &[&str]| {
        let known = names.iter().filter_map(|name| portreeve_mib::names::parse(name).ok());
        known.filter_map(|name| Oid::new(&name).ok()).collect()
    };
    ObjectGroup {
        get: named(&["sysUpTime.0"]),
        walk: named(&["interfaces", "ifXTable"]),
        labels: named(&["ifAlias", "ifDescr", "ifName"]),
    }
}

const DEFAULT_AUTH: &str = "public_v2";
const DEFAULT_MODULE: &str = "if_mib";
/// The module name in results for the objects with which the target is configured.
const TARGET_MODULE: &str = "objects";
const TIMEOUT: Duration = Duration::from_secs(5);

#[cfg(test)]
mod tests;
