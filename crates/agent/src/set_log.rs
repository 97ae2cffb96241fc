//! Log lines about finished SETs, if `[log] sets` is true. Values are not logged, because they can
//! be keys or communities.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use portreeve_datastore::{Place, Refusal};
use portreeve_smi::{Oid, SecurityModel};
use portreeve_snmp_apps::{FinishedSet, SetResult};
use portreeve_transport::{MessageSource, UserLogLimiter};

/// Switches the log lines of all workers on or off. A reload can change it.
#[derive(Clone, Default)]
pub(crate) struct SetLogSwitch(Arc<AtomicBool>);

impl SetLogSwitch {
    pub(crate) fn enable(&self, enabled: bool) {
        self.0.store(enabled, Ordering::Relaxed);
    }
}

/// Writes the log lines of one worker about SETs, at a limited rate.
pub(crate) struct SetLog {
    switch: SetLogSwitch,
    accepted: UserLogLimiter,
    /// A separate limiter, because a user without rights can cause any number of rejected SETs,
    /// which must not suppress the lines about accepted ones.
    rejected: UserLogLimiter,
}

impl SetLog {
    pub(crate) fn new(switch: SetLogSwitch) -> Self {
        let limiter = || UserLogLimiter::per_second(MAX_LOG_LINES_PER_SECOND);
        Self { switch, accepted: limiter(), rejected: limiter() }
    }

    pub(crate) fn is_enabled(&self) -> bool {
        self.switch.0.load(Ordering::Relaxed)
    }

    /// Writes a line about a SET, or counts it as suppressed.
    pub(crate) fn log(&self, set: &FinishedSet<MessageSource>) {
        let is_accepted = set.result.is_accepted();
        let limiter = if is_accepted { &self.accepted } else { &self.rejected };
        let user = limiter_key(set.security_model, &set.security_name);
        let Some(suppressed) = limiter.allow(&user, Instant::now()) else { return };
        tracing::info!(
            user = %QuotedName(&set.security_name),
            model = %set.security_model,
            peer = %set.source.peer(),
            transport = %set.source.domain(),
            context = %QuotedName(&set.context_name),
            variables = set.variables,
            names = %NameList(&set.names),
            result = %ResultName(set.result),
            reason = set.refusal.as_ref().map(|refusal| &*refusal.text),
            path = set.refusal.as_ref().and_then(path_of).map(tracing::field::display),
            app_tag = set.refusal.as_ref().and_then(|refusal| refusal.app_tag.as_deref()),
            suppressed = (suppressed > 0).then_some(suppressed),
            "{}",
            if is_accepted { SET_ACCEPTED } else { SET_REJECTED }
        );
    }
}

/// Returns the path of the node at fault.
fn path_of(refusal: &Refusal) -> Option<QuotedName<'_>> {
    match &refusal.at {
        Place::Path(path) => Some(QuotedName(path.text.as_bytes())),
        Place::Variable(_) | Place::Transaction => None,
    }
}

/// Returns the key of a user. The same name in two security models belongs to two users.
fn limiter_key(security_model: SecurityModel, security_name: &[u8]) -> Vec<u8> {
    [&security_model.0.to_be_bytes(), security_name].concat()
}

/// A name from a peer: in quotation marks if it is empty or could be mistaken for other fields.
pub(crate) struct QuotedName<'a>(pub(crate) &'a [u8]);

impl fmt::Display for QuotedName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_plain = |octet: &u8| octet.is_ascii_graphic() && !b"=\"'\\".contains(octet);
        let text = self.0.escape_ascii();
        if !self.0.is_empty() && self.0.iter().all(is_plain) {
            write!(f, "{text}")
        } else {
            write!(f, "\"{text}\"")
        }
    }
}

/// Object identifiers, separated by commas.
struct NameList<'a>(&'a [Oid]);

impl fmt::Display for NameList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, name) in self.0.iter().enumerate() {
            let separator = if position == 0 { "" } else { "," };
            write!(f, "{separator}{name}")?;
        }
        Ok(())
    }
}

/// The error-status, or the reason for a Report.
struct ResultName(SetResult);

impl fmt::Display for ResultName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            SetResult::Answered(status) => status.fmt(f),
            SetResult::Rejected(reason) => write!(f, "{reason:?}"),
        }
    }
}

const SET_ACCEPTED: &str = "SET accepted";
const SET_REJECTED: &str = "SET rejected";

/// The maximum number of lines per second about accepted SETs of one user, and about rejected ones.
const MAX_LOG_LINES_PER_SECOND: u32 = 10;

#[cfg(test)]
mod tests {
    use std::{
        io::{self, Write},
        sync::{Mutex, PoisonError},
    };

    use portreeve_datastore::{DataPath, RefusalKind};
    use portreeve_smi::{ErrorStatus, TmStateReference, TransportAddress, TransportDomain};

    use super::*;

    #[test]
    fn line_contains_reason_path_and_app_tag_of_a_refusal() {
        let refusal = Refusal {
            at: Place::Path(Box::new(DataPath {
                path: Default::default(),
                text: "/system/user[name='a b']".to_owned(),
                variable: None,
            })),
            app_tag: Some("too-many-elements".into()),
            ..Refusal::new(RefusalKind::WrongValue, "too many users")
        };
        let line = line_about(Some(refusal), ErrorStatus::WrongValue);
        let end = "result=wrongValue reason=\"too many users\" \
                   path=\"/system/user[name=\\'a b\\']\" app_tag=\"too-many-elements\"\n";
        assert!(line.contains(SET_REJECTED) && line.ends_with(end), "{line}");
        let whole = Refusal::new(RefusalKind::ResourceUnavailable, "too many changes wait");
        let line = line_about(Some(whole), ErrorStatus::ResourceUnavailable);
        assert!(line.ends_with("reason=\"too many changes wait\"\n"), "{line}");
        let line = line_about(None, ErrorStatus::NoError);
        assert!(line.contains(SET_ACCEPTED) && line.ends_with("result=noError\n"), "{line}");
    }

    /// Returns the log line about a SET with this result.
    fn line_about(refusal: Option<Refusal>, status: ErrorStatus) -> String {
        let address = TransportAddress::Ip(([192, 0, 2, 7], 40112).into());
        let state = TmStateReference::unauthenticated(TransportDomain::Udp, address);
        let set = FinishedSet {
            source: MessageSource::detached(state, 1472),
            security_model: SecurityModel::USM,
            security_name: (*b"ops").into(),
            context_name: [].into(),
            names: vec![Oid::new(&[1, 3, 6]).unwrap()],
            variables: 1,
            result: SetResult::Answered(status),
            refusal,
        };
        let lines = Lines::default();
        let writer = lines.clone();
        let log = tracing_subscriber::fmt().with_ansi(false).with_writer(move || writer.clone()).finish();
        tracing::subscriber::with_default(log, || SetLog::new(SetLogSwitch::default()).log(&set));
        let octets = lines.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        String::from_utf8(octets).unwrap()
    }

    /// Collects log lines.
    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl Write for Lines {
        fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).write(octets)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn same_name_in_another_security_model_has_a_limit_of_its_own() {
        let (limiter, now) = (UserLogLimiter::per_second(1), Instant::now());
        let ops = |model| limiter.allow(&limiter_key(model, b"ops"), now);
        assert_eq!([ops(SecurityModel::SNMP_V2C), ops(SecurityModel::SNMP_V2C)], [Some(0), None]);
        assert_eq!(ops(SecurityModel::USM), Some(0));
    }

    #[test]
    fn names_that_look_like_log_fields_are_quoted() {
        for (name, expected) in [
            ("ops", "ops"),
            ("ops@example.org", "ops@example.org"),
            ("", "\"\""),
            ("a result=noError", "\"a result=noError\""),
            ("a\" \n\u{1b}[31m", r#""a\" \n\x1b[31m""#),
        ] {
            assert_eq!(QuotedName(name.as_bytes()).to_string(), expected);
        }
    }
}
