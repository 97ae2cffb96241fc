//! The account policy of a relay listener, and the lookup of account names.

use std::sync::Arc;
use std::{fmt, io};

use portreeve_sys::account_name;
use tokio::sync::Semaphore;

/// The accounts whose processes may connect. In addition, the file mode of the socket limits which
/// processes can open it.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum AllowedAccounts {
    /// The account that this process runs as, and root.
    #[default]
    OwnAndRoot,
    /// Only accounts with these names.
    Named(Vec<String>),
    /// All accounts that have a name on this machine.
    All,
}

/// Checks the peers of one listener; shared by all workers.
#[derive(Debug)]
pub(crate) struct AccountPolicy {
    accounts: AllowedAccounts,
    our_uid: u32,
    /// Limits concurrent name lookups, so that an unresponsive directory service blocks only a few
    /// threads.
    lookups: Arc<Semaphore>,
}

impl AccountPolicy {
    /// Creates the policy for a process that runs as `our_uid`.
    pub(crate) fn new(accounts: AllowedAccounts, our_uid: u32) -> Self {
        Self { accounts, our_uid, lookups: Arc::new(Semaphore::new(MAX_LOOKUPS)) }
    }

    /// Returns the name of the account with this user ID if the account is allowed. Waits until the
    /// system has resolved the name.
    pub(crate) async fn check(&self, uid: u32) -> Result<String, AccountRefusedReason> {
        self.check_uid(uid)?;
        let permit = Arc::clone(&self.lookups).acquire_owned().await;
        let result = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            account_name(uid)
        });
        let name = result.await.unwrap_or_else(|panic| Err(io::Error::other(panic)));
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

/// The reason why a process is refused.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum AccountRefusedReason {
    /// The account is not allowed.
    NotAllowed,
    /// The kernel reports this user ID for accounts of other user namespaces.
    ForeignNamespace,
    /// The user ID has no account name.
    NoName,
    /// The name lookup failed.
    LookupFailed(String),
}

impl fmt::Display for AccountRefusedReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAllowed => f.write_str("the account is not allowed to connect"),
            Self::ForeignNamespace => f.write_str("the user ID belongs to another user namespace"),
            Self::NoName => f.write_str("the account has no name"),
            Self::LookupFailed(error) => write!(f, "account name lookup failed: {error}"),
        }
    }
}

const ROOT: u32 = 0;
/// The user ID that the kernel reports for accounts that are not mapped to our user namespace. It
/// does not prove that the process runs as the local account with this user ID.
const OVERFLOW_UID: u32 = 65_534;
/// The maximum number of concurrent name lookups: far more than a system with a responsive
/// directory service needs.
const MAX_LOOKUPS: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_policy_allows_only_the_agents_account_and_root() {
        let policy = AccountPolicy::new(AllowedAccounts::default(), 1000);
        for (uid, expected) in [
            (1000, Ok(())),
            (0, Ok(())),
            (1001, Err(AccountRefusedReason::NotAllowed)),
            (65_534, Err(AccountRefusedReason::ForeignNamespace)),
            (u32::MAX, Err(AccountRefusedReason::NotAllowed)),
        ] {
            assert_eq!(policy.check_uid(uid), expected, "{uid}");
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
    fn all_accounts_policy_rejects_only_accounts_without_mapping_or_name() {
        let policy = AccountPolicy::new(AllowedAccounts::All, 0);
        assert_eq!(policy.check_uid(65_534), Err(AccountRefusedReason::ForeignNamespace));
        assert_eq!(policy.check_uid(1001), Ok(()));
        assert_eq!(policy.check_name(None), Err(AccountRefusedReason::NoName));
        assert_eq!(policy.check_name(Some("anyone".to_owned())), Ok("anyone".to_owned()));
    }
}
