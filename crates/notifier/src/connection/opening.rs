//! The opening of a session over SSH, TLS or DTLS.

use std::{sync::Arc, time::Duration};

use portreeve_broker_protocol::{SessionOption, SessionRequest};
use portreeve_channel::{ChannelError, ChannelStep, NoObserver, read_files};
use portreeve_secure_session::SecureSession;
use portreeve_snmp_engine::statistics::Recorder;
use tokio::time::{Instant, timeout_at};

use super::{ConnectionEnd, describe};
use crate::{
    destination::{CertificateFiles, DestinationError, SecureEndpoint},
    file_reads::TargetFileReads,
    session_counters,
};

/// Opens a session, which `recorder` counts. The time limit includes the reads of the files.
pub(super) async fn open_session(
    endpoint: &SecureEndpoint,
    max_time: Duration,
    recorder: &Recorder,
    reads: &Arc<TargetFileReads>,
) -> Result<SecureSession, ConnectionEnd> {
    // If the file system responds again, the read ends soon.
    if reads.is_unfinished() {
        return Err(unread(endpoint));
    }
    let deadline = Instant::now() + max_time;
    let request = timeout_at(deadline, complete_request(endpoint, reads)).await;
    let request = request.unwrap_or_else(|_| Err(unread(endpoint)))?;
    let transport = request.transport;
    session_counters::count_attempt(recorder, transport);
    // Boxed: the state of a handshake is large, and each target has room for one.
    let opening = Box::pin(SecureSession::open_with_reads(&request, Arc::clone(reads) as _, &NoObserver));
    let opened = timeout_at(deadline, opening).await.unwrap_or_else(|_| {
        let cause = format!("no session within {max_time:?}");
        Err(ChannelError::at(ChannelStep::Negotiate, cause))
    });
    opened.map_err(|error| {
        session_counters::count_failure(recorder, transport, &error);
        if reads.is_unfinished() {
            return unread(endpoint);
        }
        ConnectionEnd { cause: error.reason, ..ConnectionEnd::failed(describe(&error)) }
    })
}

/// Adds the certificate of this agent to the request.
async fn complete_request(
    endpoint: &SecureEndpoint,
    reads: &TargetFileReads,
) -> Result<SessionRequest, ConnectionEnd> {
    let certificate = match endpoint.certificate.known() {
        Some(known) => known.cloned(),
        None => find_certificate(endpoint, reads).await?,
    };
    let mut request = endpoint.request.clone();
    if let Some(CertificateFiles { certificate, key }) = certificate {
        request.options.push((SessionOption::Certificate, certificate.display().to_string()));
        request.options.extend(key.map(|key| (SessionOption::PrivateKey, key.display().to_string())));
    }
    Ok(request)
}

async fn find_certificate(
    endpoint: &SecureEndpoint,
    reads: &TargetFileReads,
) -> Result<Option<CertificateFiles>, ConnectionEnd> {
    let certificate = endpoint.certificate.clone();
    let find = move || certificate.find().map(|files| files.cloned());
    let found = read_files(reads, ChannelStep::ClientIdentity, find).await;
    let found = found.map_err(|error| ConnectionEnd::failed(describe(&error)))?;
    found.map_err(|error: DestinationError| ConnectionEnd::failed(error.to_string()))
}

/// Returns the error for files whose read does not end.
fn unread(endpoint: &SecureEndpoint) -> ConnectionEnd {
    let files = endpoint.files().join(", ");
    ConnectionEnd::failed(format!(
        "cannot read the files of the target in time: check the file system of {files}"
    ))
}
