//! Whose processes may come in, and what their account is called.

use std::sync::Arc;
use std::{fmt, io};

use portreeve_sys::account_name;
use tokio::sync::Semaphore;

/// Whose processes are let in. It is the account that counts; what reaches the socket at all is decided by the socket's
/// mode.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum AllowedAccounts {
    /// The account that this process runs as, and root.
    #[default]
    OwnAndRoot,
    /// The accounts of these names.
    Named(Vec<String>),
    /// All that this machine knows by name.
    All,
}

/// Judges peers of one listener; shared by all workers.
#[derive(Debug)]
pub(crate) struct AccountPolicy {
    accounts: AllowedAccounts,
    our_uid: u32,
    /// Questions that may be open at once, so that a directory service that does not answer holds few threads.
    lookups: Arc<Semaphore>,
}

impl AccountPolicy {
    /// One for a process that runs as `our_uid`.
    pub(crate) fn new(accounts: AllowedAccounts, our_uid: u32) -> Self {
        Self { accounts, our_uid, lookups: Arc::new(Semaphore::new(MAX_LOOKUPS)) }
    }

    /// The name of the account with that number, if it is let in. May take as long as the system takes to find the name.
    pub(crate) async fn check(&self, uid: u32) -> Result<String, AccountRefusedReason> {
        self.check_uid(uid)?;
        let question = Arc::clone(&self.lookups).acquire_owned().await;
        let answer = tokio::task::spawn_blocking(move || {
            let _question = question;
            account_name(uid)
        });
        let name = answer.await.unwrap_or_else(|panic| Err(io::Error::other(panic)));
        self.check_name(name.map_err(|error| AccountRefusedReason::LookupFailed(error.to_string()))?)
    }

    fn check_uid(&self, uid: u32) -> Result<(), AccountRefusedReason> {
        if uid == OVERFLOW_UID {
            return Err(AccountRefusedReason::ForeignNamespace);
        }
        match self.accounts {
            AllowedAccounts::OwnAndRoot if uid != self.our_uid && uid != ROOT => {
                Err(AccountRefusedReason::NotAllowed)
            }
            _ => Ok(()),
        }
    }

    fn check_name(&self, name: Option<String>) -> Result<String, AccountRefusedReason> {
        let name = name.ok_or(AccountRefusedReason::NoName)?;
        match &self.accounts {
            AllowedAccounts::Named(names) if !names.contains(&name) => Err(AccountRefusedReason::NotAllowed),
            _ => Ok(name),
        }
    }
}

/// Why a process is not let in.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum AccountRefusedReason {
    /// Its account is none of those that are let in.
    NotAllowed,
    /// The kernel gives this number to processes of other user namespaces, whoever they are.
    ForeignNamespace,
    /// Its account has no name.
    NoName,
    /// Whoever knows the names could not be asked.
    LookupFailed(String),
}

impl fmt::Display for AccountRefusedReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAllowed => f.write_str("the account is not among those that are let in"),
            Self::ForeignNamespace => {
                f.write_str("the number stands for accounts that this machine does not know")
            }
            Self::NoName => f.write_str("the account has no name"),
            Self::LookupFailed(error) => write!(f, "the account's name cannot be found out: {error}"),
        }
    }
}

const ROOT: u32 = 0;
/// What the kernel shows instead of accounts that another user namespace does not map: no proof of being `nobody`.
const OVERFLOW_UID: u32 = 65_534;
/// Far more than a system that answers ever needs.
const MAX_LOOKUPS: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_policy_allows_own_account_and_root() {
        let policy = AccountPolicy::new(AllowedAccounts::default(), 1000);
        for (uid, verdict) in [
            (1000, Ok(())),
            (0, Ok(())),
            (1001, Err(AccountRefusedReason::NotAllowed)),
            (65_534, Err(AccountRefusedReason::ForeignNamespace)),
            (u32::MAX, Err(AccountRefusedReason::NotAllowed)),
        ] {
            assert_eq!(policy.check_uid(uid), verdict, "{uid}");
        }
    }

    #[test]
    fn named_accounts_are_matched_exactly() {
        let policy = AccountPolicy::new(AllowedAccounts::Named(vec!["ops".to_owned()]), 0);
        for name in ["Ops", "ops ", "op", "", "root"] {
            assert_eq!(
                policy.check_name(Some(name.to_owned())),
                Err(AccountRefusedReason::NotAllowed),
                "{name:?}"
            );
        }
        assert_eq!(policy.check_name(Some("ops".to_owned())), Ok("ops".to_owned()));
        assert_eq!(policy.check_name(None), Err(AccountRefusedReason::NoName));
    }

    #[test]
    fn all_policy_rejects_foreign_and_unnamed_accounts() {
        let policy = AccountPolicy::new(AllowedAccounts::All, 0);
        assert_eq!(policy.check_uid(65_534), Err(AccountRefusedReason::ForeignNamespace));
        assert_eq!(policy.check_uid(1001), Ok(()));
        assert_eq!(policy.check_name(None), Err(AccountRefusedReason::NoName));
        assert_eq!(policy.check_name(Some("anyone".to_owned())), Ok("anyone".to_owned()));
    }
}
