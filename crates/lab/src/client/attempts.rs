//! Jobs whose sessions may fail: a failure is a result, and several sessions can be open at the
//! same time.

use tokio::time::timeout;

use super::Client;
use super::job::{Attempt, AttemptJob};
use super::run_job::{Login, prepare_session};
use crate::error::Result;

impl Client {
    /// Runs the sessions of a job.
    pub(super) fn attempt(&mut self, job: AttemptJob) -> Result<Vec<Attempt>> {
        let AttemptJob { job, parallel, deadline } = job;
        let stack = job.stack()?;
        let mut login = Login::for_job(self, stack, &job)?;
        let mut target = self.target.clone();
        self.run_concurrently(job.sessions, parallel, move || {
            let session =
                login.next().and_then(|credentials| prepare_session(&mut target, &job, stack, credentials));
            async move {
                // Only what is sent may fail, not its preparation.
                Ok(match timeout(deadline, session?).await {
                    Ok(result) => result.map_err(|error| error.message().to_owned()),
                    Err(_) => Err(format!("the session has not ended within {deadline:?}")),
                })
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::net::UdpSocket;
    use std::time::Duration;

    use super::*;
    use crate::client::{Carrier, Job, Operation, ProtocolStack};

    #[test]
    fn failed_sessions_are_results_but_missing_credentials_are_an_error() {
        let silent = UdpSocket::bind("127.0.0.1:0").unwrap();
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("credentials.env");
        let address = silent.local_addr().unwrap();
        fs::write(&file, format!("PORTREEVE_UDP='{address}'\nPORTREEVE_RO='a'\n")).unwrap();
        let mut client = Client::new(&file).ok().unwrap();
        let mut attempt = |carrier| {
            let get = Operation::Get { names: vec![vec![1, 3]], count: 1 };
            let job = Job::new(ProtocolStack::v2c(carrier), get).times(3);
            client.attempt(AttemptJob { job, parallel: 3, deadline: Duration::from_millis(20) })
        };
        let attempts = attempt(Carrier::Udp).ok().unwrap();
        assert_eq!(attempts, vec![Err("the session has not ended within 20ms".to_owned()); 3]);
        let error = attempt(Carrier::Tcp).err().unwrap();
        assert!(error.message().contains("PORTREEVE_TCP"), "{}", error.message());
    }
}
