//! A client with a fixed number of outstanding SETs.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use portreeve_snmp_manager::{
    AuthProtocol, Client, Credentials, PrivProtocol, Request, RequestHandle, Response, RetryPolicy, Secret,
    SessionOptions, UsmUser,
};

use super::Version;
use super::agent::{AUTH_PASS, COMMUNITY, PRIV_PASS, USER};
use crate::error::{Context, LabError, Result};

/// Opens a client that sends each request once, and waits `timeout` for the response.
pub(super) fn open(agent: SocketAddr, version: Version, timeout: Duration) -> Result<Client> {
    match version {
        Version::V2c => open_v2c(agent, COMMUNITY, timeout),
        Version::Usm => {
            let user = UsmUser::with_privacy(
                USER.as_bytes(),
                (AuthProtocol::HmacSha256_192, &Secret::from(AUTH_PASS)),
                (PrivProtocol::Aes128, &Secret::from(PRIV_PASS)),
            )?;
            open_with(agent, Credentials::V3(user), timeout)
        }
    }
}

/// Opens a client with a community that sends each request once.
pub(in crate::experiments) fn open_v2c(
    agent: SocketAddr,
    community: &str,
    timeout: Duration,
) -> Result<Client> {
    open_with(agent, Credentials::V2c(Secret::from(community)), timeout)
}

fn open_with(agent: SocketAddr, credentials: Credentials, timeout: Duration) -> Result<Client> {
    let options = SessionOptions { retry: RetryPolicy::fixed(timeout, 0), ..SessionOptions::default() };
    Ok(Client::open(&agent.to_string().parse()?, credentials, &options)?)
}

/// Sends a request and waits for a response without an error.
pub(super) fn request(client: &mut Client, request: &Request) -> Result<Response> {
    accept(client.request(request)?)
}

/// Sends all requests and waits for their responses; at most `outstanding` requests are on the way
/// at the same time. Returns the time from sending each request to its response.
///
/// Request n is sent only after the response to request n - `outstanding`, even if others are
/// answered earlier, so that the order of SETs on the same variables is known.
///
/// # Errors
/// If a request is not answered, or the response contains an error.
pub(in crate::experiments) fn exchange(
    client: &mut Client,
    requests: &[Request],
    outstanding: usize,
) -> Result<Vec<Duration>> {
    let mut sent: HashMap<RequestHandle, (usize, Instant)> = HashMap::with_capacity(outstanding);
    let mut latencies = Vec::with_capacity(requests.len());
    for (number, request) in requests.iter().enumerate().take(outstanding) {
        sent.insert(client.send(request), (number, Instant::now()));
    }
    while let Some(event) = client.next_event()? {
        let (number, since) = sent.remove(&event.handle).ok_or("a response belongs to no request")?;
        latencies.push(since.elapsed());
        let response = event.result.map_err(LabError::from).and_then(accept);
        client.recycle(response.context(format_args!("SET {number}"))?);
        let next = number + outstanding;
        if let Some(request) = requests.get(next) {
            sent.insert(client.send(request), (next, Instant::now()));
        }
    }
    match latencies.len() == requests.len() {
        true => Ok(latencies),
        false => Err("not all SETs were answered".into()),
    }
}

fn accept(response: Response) -> Result<Response> {
    match response.error_status_number() {
        0 => Ok(response),
        number => {
            let status = response.error_status().map_or(number.to_string(), |status| format!("{status:?}"));
            let variable = response.error_index().unwrap_or_default();
            Err(format!("the agent answered with {status}, variable {variable}").into())
        }
    }
}
