//! The options of our agent's SSH listener that exist for benchmarks.

use portreeve_channel_ssh::{TrafficSettings, WindowPolicy};

/// Returns the configuration with these settings in its SSH listener.
pub(crate) fn with_ssh_traffic(configuration: &str, traffic: TrafficSettings) -> String {
    let mut lines = SSH.to_owned();
    if !traffic.nodelay {
        lines += "nodelay = false\n";
    }
    if traffic.window == WindowPolicy::EveryMessage {
        lines += "window = \"every-message\"\n";
    }
    configuration.replace(SSH, &lines)
}

/// The first line of the SSH listener.
const SSH: &str = "transport = \"ssh\"\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_ssh_listener_gets_the_settings() {
        let text = "[[listen]]\ntransport = \"udp\"\n\n[[listen]]\ntransport = \"ssh\"\naddress = \"a\"\n";
        assert_eq!(with_ssh_traffic(text, TrafficSettings::default()), text);
        let traffic = TrafficSettings { nodelay: false, window: WindowPolicy::EveryMessage };
        assert_eq!(
            with_ssh_traffic(text, traffic),
            "[[listen]]\ntransport = \"udp\"\n\n[[listen]]\ntransport = \"ssh\"\nnodelay = false\n\
             window = \"every-message\"\naddress = \"a\"\n"
        );
    }
}
