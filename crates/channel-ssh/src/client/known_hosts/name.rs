//! Host names in known_hosts.

/// A host as named in known_hosts: in lower case, with the port unless it is 22.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostName {
    host: String,
    port: Option<u16>,
}

impl HostName {
    /// Creates the name of a host and port.
    pub fn new(host: &str, port: u16) -> Self {
        Self { host: host.to_ascii_lowercase(), port: (port != SSH_PORT).then_some(port) }
    }

    /// Creates a name from `HostKeyAlias`, which does not include a port.
    pub fn alias(name: &str) -> Self {
        Self { host: name.to_ascii_lowercase(), port: None }
    }

    /// Returns the host without the port, as in certificates.
    pub fn host_part(&self) -> &str {
        &self.host
    }

    /// Returns `host` or `[host]:port`.
    pub fn with_port(&self) -> String {
        match self.port {
            Some(port) => format!("[{}]:{port}", self.host),
            None => self.host.clone(),
        }
    }

    /// Returns the name without the port; `None` if [`with_port`](Self::with_port) does not include
    /// a port. The key may be listed under this name: an agent may use the host key of the sshd on
    /// the same host.
    pub fn without_port(&self) -> Option<String> {
        self.port.map(|_| self.host.clone())
    }
}

const SSH_PORT: u16 = 22;
