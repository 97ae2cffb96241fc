//! The raw values of every option of every section, with positions, before validation.

mod agent;
mod listen;
mod netconf;
mod notify;
mod receiver;
mod rights;
mod sessions;
mod ssh;
mod tls;
mod users;

use crate::{
    document::Document,
    options::{self, SECTIONS},
    reader::Located,
};

pub(crate) use agent::{RawAgent, RawLog, RawSystem};
pub(crate) use listen::{RawLimits, RawListen};
pub(crate) use netconf::{RawNetconf, RawYang};
pub(crate) use notify::{CLEAR_KEYS, RawNotifications, RawNotify, SSH_KEYS, TLS_KEYS};
pub(crate) use receiver::{RawAccept, RawForward, RawHandler, RawReceive, RawSender};
pub(crate) use rights::{RawAccess, RawContext, RawGroup, RawView};
pub(crate) use sessions::{RawSessionUser, RawSessions};
pub(crate) use ssh::RawSsh;
pub(crate) use tls::{RawTls, RawTlsName};
pub(crate) use users::{RawCommunity, RawKey, RawUser, RawWeak};

type Text = Option<Located<String>>;
type List = Option<Vec<Located<String>>>;

/// The raw values of the whole file.
#[derive(Default)]
pub(crate) struct Raw {
    pub(crate) agent: RawAgent,
    pub(crate) system: RawSystem,
    pub(crate) log: RawLog,
    pub(crate) limits: RawLimits,
    pub(crate) weak: RawWeak,
    pub(crate) listen: Vec<RawListen>,
    pub(crate) ssh: RawSsh,
    pub(crate) tls: RawTls,
    pub(crate) tls_names: Vec<RawTlsName>,
    pub(crate) netconf: RawNetconf,
    pub(crate) yang: RawYang,
    pub(crate) sessions: RawSessions,
    pub(crate) users: Vec<RawUser>,
    pub(crate) session_users: Vec<RawSessionUser>,
    pub(crate) communities: Vec<RawCommunity>,
    pub(crate) views: Vec<RawView>,
    pub(crate) groups: Vec<RawGroup>,
    pub(crate) access: Vec<RawAccess>,
    pub(crate) contexts: Vec<RawContext>,
    pub(crate) notifications: RawNotifications,
    pub(crate) notify: Vec<RawNotify>,
}

impl Raw {
    /// Reads all sections of `document`. Values of the wrong type are reported and skipped.
    pub(crate) fn read(document: &mut Document<'_, '_>) -> Self {
        document.reject_unknown_sections(&SECTIONS.iter().map(|section| section.name).collect::<Vec<_>>());
        Self {
            agent: document.read_table(&options::AGENT, RawAgent::read).unwrap_or_default(),
            system: document.read_table(&options::SYSTEM, RawSystem::read).unwrap_or_default(),
            log: document.read_table(&options::LOG, RawLog::read).unwrap_or_default(),
            limits: document.read_table(&options::LIMITS, RawLimits::read).unwrap_or_default(),
            weak: document.read_table(&options::WEAK, RawWeak::read).unwrap_or_default(),
            listen: document.read_tables(&options::LISTEN, RawListen::read),
            ssh: document.read_table(&options::SSH, RawSsh::read).unwrap_or_default(),
            tls: document.read_table(&options::TLS, RawTls::read).unwrap_or_default(),
            tls_names: document.read_tables(&options::TLS_NAME, RawTlsName::read),
            netconf: document.read_table(&options::NETCONF, RawNetconf::read).unwrap_or_default(),
            yang: document.read_table(&options::YANG, RawYang::read).unwrap_or_default(),
            sessions: document.read_table(&options::SESSIONS, RawSessions::read).unwrap_or_default(),
            users: document.read_tables(&options::USER, RawUser::read),
            session_users: document.read_tables(&options::SESSION_USER, RawSessionUser::read),
            communities: document.read_tables(&options::COMMUNITY, RawCommunity::read),
            views: document.read_tables(&options::VIEW, RawView::read),
            groups: document.read_tables(&options::GROUP, RawGroup::read),
            access: document.read_tables(&options::ACCESS, RawAccess::read),
            contexts: document.read_tables(&options::CONTEXT, RawContext::read),
            notifications: document
                .read_table(&options::NOTIFICATIONS, RawNotifications::read)
                .unwrap_or_default(),
            notify: document.read_tables(&options::NOTIFY, RawNotify::read),
        }
    }

    /// Reads the sections that the receiver of notifications has, too.
    pub(crate) fn read_shared(document: &mut Document<'_, '_>) -> Self {
        Self {
            limits: document.read_table(&options::LIMITS, RawLimits::read).unwrap_or_default(),
            weak: document.read_table(&options::WEAK, RawWeak::read).unwrap_or_default(),
            listen: document.read_tables(&options::LISTEN, RawListen::read),
            ssh: document.read_table(&options::SSH, RawSsh::read).unwrap_or_default(),
            tls: document.read_table(&options::TLS, RawTls::read).unwrap_or_default(),
            tls_names: document.read_tables(&options::TLS_NAME, RawTlsName::read),
            users: document.read_tables(&options::USER, RawUser::read),
            communities: document.read_tables(&options::COMMUNITY, RawCommunity::read),
            ..Self::default()
        }
    }

    /// Returns true if the file itself contains a pass phrase, key or community string.
    pub(crate) fn holds_secrets(&self) -> bool {
        let in_user = |user: &RawUser| {
            [&user.auth, &user.privacy].into_iter().any(|key| key.pass.is_some() || key.key.is_some())
        };
        self.users.iter().any(in_user)
            || self.communities.iter().any(|community| community.name.is_some())
            || self.notify.iter().any(|target| target.community.is_some())
    }
}
