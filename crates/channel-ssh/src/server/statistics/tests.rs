use std::{
    net::Ipv4Addr,
    sync::{Arc, Mutex},
    time::Duration,
};

use tracing::{Event, Id, Metadata, field::Visit, span};

use super::*;

#[test]
fn all_login_refusals_are_counted_but_logged_at_a_limited_rate() {
    let (statistics, counts, start) = (SshStatistics::default(), SuppressedCounts::default(), Instant::now());
    tracing::subscriber::with_default(counts.clone(), || {
        let refuse = |milliseconds| {
            let now = start + Duration::from_millis(milliseconds);
            statistics.record_refusal(
                LoginRefusalReason::Password,
                Ipv4Addr::LOCALHOST.into(),
                Some("ops"),
                now,
            );
        };
        (0..1000).for_each(refuse);
        assert_eq!(statistics.refused(LoginRefusalReason::Password), 1000);
        assert_eq!(counts.take(), [None; MAX_LOG_LINES_PER_SECOND as usize]);
        refuse(1000);
        refuse(1001);
        assert_eq!(counts.take(), [Some(1000 - u64::from(MAX_LOG_LINES_PER_SECOND)), None]);
    });
    assert_eq!(statistics.refused(LoginRefusalReason::Password), 1002);
}

/// Records the `suppressed` count of each log line.
#[derive(Clone, Default)]
struct SuppressedCounts(Arc<Mutex<Vec<Option<u64>>>>);

impl SuppressedCounts {
    fn take(&self) -> Vec<Option<u64>> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

impl tracing::Subscriber for SuppressedCounts {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut suppressed = SuppressedField(None);
        event.record(&mut suppressed);
        self.0.lock().unwrap().push(suppressed.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

struct SuppressedField(Option<u64>);

impl Visit for SuppressedField {
    fn record_u64(&mut self, field: &tracing::field::Field, value: u64) {
        if field.name() == "suppressed" {
            self.0 = Some(value);
        }
    }

    fn record_debug(&mut self, _: &tracing::field::Field, _: &dyn std::fmt::Debug) {}
}
