//! Whose processes may come in, and what their account is called.

use std::sync::Arc;
use std::{fmt, io};

use portreeve_sys::account_name;
use tokio::sync::Semaphore;

/// Whose processes are let in. It is the account that counts; what reaches the socket at all is decided by the socket's
/// mode.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum Accounts {
    /// The account that this process runs as, and root.
    #[default]
    Ours,
    /// The accounts of these names.
    Named(Vec<String>),
    /// All that this machine knows by name.
    All,
}

/// Judges peers of one listener; shared by all workers.
#[derive(Debug)]
pub(crate) struct Doorkeeper {
    accounts: Accounts,
    our_uid: u32,
    /// Questions that may be open at once, so that a directory service that does not answer holds few threads.
    questions: Arc<Semaphore>,
}

impl Doorkeeper {
    /// One for a process that runs as `our_uid`.
    pub(crate) fn new(accounts: Accounts, our_uid: u32) -> Self {
        Self { accounts, our_uid, questions: Arc::new(Semaphore::new(QUESTIONS)) }
    }

    /// The name of the account with that number, if it is let in. May take as long as the system takes to find the name.
    pub(crate) async fn judge(&self, uid: u32) -> Result<String, Refusal> {
        self.judge_number(uid)?;
        let question = Arc::clone(&self.questions).acquire_owned().await;
        let answer = tokio::task::spawn_blocking(move || {
            let _question = question;
            account_name(uid)
        });
        let name = answer.await.unwrap_or_else(|panic| Err(io::Error::other(panic)));
        self.judge_name(name.map_err(|error| Refusal::Unknown(error.to_string()))?)
    }

    fn judge_number(&self, uid: u32) -> Result<(), Refusal> {
        if uid == OVERFLOW_UID {
            return Err(Refusal::Foreign);
        }
        match self.accounts {
            Accounts::Ours if uid != self.our_uid && uid != ROOT => Err(Refusal::NotLetIn),
            _ => Ok(()),
        }
    }

    fn judge_name(&self, name: Option<String>) -> Result<String, Refusal> {
        let name = name.ok_or(Refusal::Nameless)?;
        match &self.accounts {
            Accounts::Named(names) if !names.contains(&name) => Err(Refusal::NotLetIn),
            _ => Ok(name),
        }
    }
}

/// Why a process is not let in.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Refusal {
    /// Its account is none of those that are let in.
    NotLetIn,
    /// The kernel gives this number to processes of other user namespaces, whoever they are.
    Foreign,
    /// Its account has no name.
    Nameless,
    /// Whoever knows the names could not be asked.
    Unknown(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotLetIn => f.write_str("the account is not among those that are let in"),
            Self::Foreign => f.write_str("the number stands for accounts that this machine does not know"),
            Self::Nameless => f.write_str("the account has no name"),
            Self::Unknown(error) => write!(f, "the account's name cannot be found out: {error}"),
        }
    }
}

const ROOT: u32 = 0;
/// What the kernel shows instead of accounts that another user namespace does not map: no proof of being `nobody`.
const OVERFLOW_UID: u32 = 65_534;
/// Far more than a system that answers ever needs.
const QUESTIONS: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_default_only_our_own_account_and_root_come_in() {
        let doorkeeper = Doorkeeper::new(Accounts::default(), 1000);
        for (uid, verdict) in [
            (1000, Ok(())),
            (0, Ok(())),
            (1001, Err(Refusal::NotLetIn)),
            (65_534, Err(Refusal::Foreign)),
            (u32::MAX, Err(Refusal::NotLetIn)),
        ] {
            assert_eq!(doorkeeper.judge_number(uid), verdict, "{uid}");
        }
    }

    #[test]
    fn named_accounts_come_in_by_their_exact_name() {
        let doorkeeper = Doorkeeper::new(Accounts::Named(vec!["ops".to_owned()]), 0);
        for name in ["Ops", "ops ", "op", "", "root"] {
            assert_eq!(doorkeeper.judge_name(Some(name.to_owned())), Err(Refusal::NotLetIn), "{name:?}");
        }
        assert_eq!(doorkeeper.judge_name(Some("ops".to_owned())), Ok("ops".to_owned()));
        assert_eq!(doorkeeper.judge_name(None), Err(Refusal::Nameless));
    }

    #[test]
    fn where_all_come_in_whoever_is_of_another_namespace_or_has_no_name_does_not() {
        let doorkeeper = Doorkeeper::new(Accounts::All, 0);
        assert_eq!(doorkeeper.judge_number(65_534), Err(Refusal::Foreign));
        assert_eq!(doorkeeper.judge_number(1001), Ok(()));
        assert_eq!(doorkeeper.judge_name(None), Err(Refusal::Nameless));
        assert_eq!(doorkeeper.judge_name(Some("anyone".to_owned())), Ok("anyone".to_owned()));
    }
}
