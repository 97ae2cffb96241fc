//! What was written, and where: every key of every section, not yet judged.

mod agent;
mod listen;
mod rights;
mod sessions;
mod ssh;
mod tls;
mod users;

use crate::{
    document::Document,
    options::{self, SECTIONS},
    reader::Written,
};

pub(crate) use agent::{RawAgent, RawSystem};
pub(crate) use listen::{RawLimits, RawListen};
pub(crate) use rights::{RawAccess, RawContext, RawGroup, RawView};
pub(crate) use sessions::{RawSessionUser, RawSessions};
pub(crate) use ssh::RawSsh;
pub(crate) use tls::{RawTls, RawTlsName};
pub(crate) use users::{RawCommunity, RawKey, RawUser, RawWeak};

type Text = Option<Written<String>>;
type List = Option<Vec<Written<String>>>;

/// The whole file.
#[derive(Default)]
pub(crate) struct Raw {
    pub(crate) agent: RawAgent,
    pub(crate) system: RawSystem,
    pub(crate) limits: RawLimits,
    pub(crate) weak: RawWeak,
    pub(crate) listen: Vec<RawListen>,
    pub(crate) ssh: RawSsh,
    pub(crate) tls: RawTls,
    pub(crate) tls_names: Vec<RawTlsName>,
    pub(crate) sessions: RawSessions,
    pub(crate) users: Vec<RawUser>,
    pub(crate) session_users: Vec<RawSessionUser>,
    pub(crate) communities: Vec<RawCommunity>,
    pub(crate) views: Vec<RawView>,
    pub(crate) groups: Vec<RawGroup>,
    pub(crate) access: Vec<RawAccess>,
    pub(crate) contexts: Vec<RawContext>,
}

impl Raw {
    /// Takes over what `document` says. What cannot be read is reported and left out.
    pub(crate) fn read(document: &mut Document<'_, '_>) -> Self {
        document.only(&SECTIONS.iter().map(|section| section.name).collect::<Vec<_>>());
        Self {
            agent: document.one(&options::AGENT, RawAgent::read).unwrap_or_default(),
            system: document.one(&options::SYSTEM, RawSystem::read).unwrap_or_default(),
            limits: document.one(&options::LIMITS, RawLimits::read).unwrap_or_default(),
            weak: document.one(&options::WEAK, RawWeak::read).unwrap_or_default(),
            listen: document.each(&options::LISTEN, RawListen::read),
            ssh: document.one(&options::SSH, RawSsh::read).unwrap_or_default(),
            tls: document.one(&options::TLS, RawTls::read).unwrap_or_default(),
            tls_names: document.each(&options::TLS_NAME, RawTlsName::read),
            sessions: document.one(&options::SESSIONS, RawSessions::read).unwrap_or_default(),
            users: document.each(&options::USER, RawUser::read),
            session_users: document.each(&options::SESSION_USER, RawSessionUser::read),
            communities: document.each(&options::COMMUNITY, RawCommunity::read),
            views: document.each(&options::VIEW, RawView::read),
            groups: document.each(&options::GROUP, RawGroup::read),
            access: document.each(&options::ACCESS, RawAccess::read),
            contexts: document.each(&options::CONTEXT, RawContext::read),
        }
    }

    /// Whether a pass phrase, key or community string stands in the file itself.
    pub(crate) fn holds_secrets(&self) -> bool {
        let in_user = |user: &RawUser| {
            [&user.auth, &user.privacy].into_iter().any(|key| key.pass.is_some() || key.key.is_some())
        };
        self.users.iter().any(in_user) || self.communities.iter().any(|community| community.name.is_some())
    }
}
