//! TCP_NODELAY after the login instead of from the beginning, for benchmarks.

use std::os::fd::AsFd;

use tokio::net::TcpStream;

/// A second descriptor of a connection's socket, which exists only until the login: while it is
/// open, the connection cannot be closed.
pub(super) struct LateNodelay(Option<std::net::TcpStream>);

impl LateNodelay {
    /// Duplicates the descriptor of a connection if `is_requested` is true.
    pub(super) fn new(stream: &TcpStream, is_requested: bool) -> Self {
        // Without this option, sessions are slower but work.
        let duplicate = || stream.as_fd().try_clone_to_owned().ok();
        Self(is_requested.then(duplicate).flatten().map(std::net::TcpStream::from))
    }

    /// Sets the option.
    pub(super) fn apply(self) {
        if let Some(stream) = self.0 {
            let _ = stream.set_nodelay(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::{TcpListener, TcpStream};

    use super::LateNodelay;

    #[tokio::test]
    async fn option_is_set_only_on_request_and_only_when_applied() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        for is_requested in [true, false] {
            let stream = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
            let late = LateNodelay::new(&stream, is_requested);
            assert!(!stream.nodelay().unwrap());
            late.apply();
            assert_eq!(stream.nodelay().unwrap(), is_requested);
        }
    }
}
