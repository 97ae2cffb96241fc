//! Under which names a host stands in known_hosts.

/// A host as known_hosts names it: in small letters, with its port where that is not 22.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostName {
    host: String,
    port: Option<u16>,
}

impl HostName {
    /// A host and its port.
    pub fn new(host: &str, port: u16) -> Self {
        Self { host: host.to_ascii_lowercase(), port: (port != SSH_PORT).then_some(port) }
    }

    /// A name that `HostKeyAlias` gives, to which no port belongs.
    pub fn alias(name: &str) -> Self {
        Self { host: name.to_ascii_lowercase(), port: None }
    }

    /// The host alone, as certificates name it.
    pub fn host_part(&self) -> &str {
        &self.host
    }

    /// `host`, or `[host]:port`.
    pub fn with_port(&self) -> String {
        match self.port {
            Some(port) => format!("[{}]:{port}", self.host),
            None => self.host.clone(),
        }
    }

    /// `host`, where [`with_port`](Self::with_port) says more: an agent may well have its sshd's host key.
    pub fn without_port(&self) -> Option<String> {
        self.port.map(|_| self.host.clone())
    }
}

const SSH_PORT: u16 = 22;
