use std::{
    net::Ipv4Addr,
    sync::{Arc, Mutex},
    time::Duration,
};

use tracing::{Event, Id, Metadata, field::Visit, span};

use super::*;

#[test]
fn of_many_refusals_each_is_counted_and_few_are_told() {
    let (statistics, told, start) = (SshStatistics::default(), Told::default(), Instant::now());
    tracing::subscriber::with_default(told.clone(), || {
        let refuse = |milliseconds| {
            let now = start + Duration::from_millis(milliseconds);
            statistics.refuse(Refusal::Password, Ipv4Addr::LOCALHOST.into(), Some("ops"), now);
        };
        (0..1000).for_each(refuse);
        assert_eq!(statistics.refused(Refusal::Password), 1000);
        assert_eq!(told.take(), [None; LINES as usize]);
        refuse(1000);
        refuse(1001);
        assert_eq!(told.take(), [Some(1000 - u64::from(LINES)), None]);
    });
    assert_eq!(statistics.refused(Refusal::Password), 1002);
}

/// Keeps of each line how many were left out before it.
#[derive(Clone, Default)]
struct Told(Arc<Mutex<Vec<Option<u64>>>>);

impl Told {
    fn take(&self) -> Vec<Option<u64>> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

impl tracing::Subscriber for Told {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut suppressed = Suppressed(None);
        event.record(&mut suppressed);
        self.0.lock().unwrap().push(suppressed.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

struct Suppressed(Option<u64>);

impl Visit for Suppressed {
    fn record_u64(&mut self, field: &tracing::field::Field, value: u64) {
        if field.name() == "suppressed" {
            self.0 = Some(value);
        }
    }

    fn record_debug(&mut self, _: &tracing::field::Field, _: &dyn std::fmt::Debug) {}
}
