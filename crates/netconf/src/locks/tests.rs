use portreeve_netconf_message::rpc::Datastore::{Candidate, Running};
use portreeve_netconf_message::rpc_error::{ErrorInfo, ErrorTag};

use super::{LockOwner, LockTable};
use crate::time::DateTime;

const ONE: LockOwner = LockOwner::Session(1);
const TWO: LockOwner = LockOwner::Session(2);
const NOW: DateTime = DateTime::from_unix_seconds(1_795_437_286);

//= rfc6241#7.5-p1
//= type=test
#[test]
fn lock_is_denied_with_its_holder() {
    for (holder, id) in [(ONE, 1), (LockOwner::Other, 0)] {
        let mut locks = LockTable::default();
        locks.lock(Running, holder, true, NOW).unwrap();
        for asking in [ONE, TWO] {
            let error = locks.lock(Running, asking, false, NOW).unwrap_err();
            assert_eq!((error.tag, error.info), (ErrorTag::LockDenied, vec![ErrorInfo::SessionId(id)]));
        }
        assert_eq!(locks.owner(Running), Some(holder));
        locks.lock(Candidate, TWO, false, NOW).unwrap();
    }
}

//= rfc6241#7.5-p2
//= type=test
#[test]
fn modified_candidate_cannot_be_locked() {
    let mut locks = LockTable::default();
    let error = locks.lock(Candidate, ONE, true, NOW).unwrap_err();
    assert_eq!((error.tag, error.info), (ErrorTag::LockDenied, vec![ErrorInfo::SessionId(0)]));
    assert_eq!(locks, LockTable::default());
}

//= rfc6241#7.6-p1
//= type=test
#[test]
fn only_the_holder_can_unlock() {
    let mut locks = LockTable::default();
    assert_eq!(locks.unlock(Running, ONE).unwrap_err().tag, ErrorTag::OperationFailed);
    locks.lock(Running, ONE, false, NOW).unwrap();
    assert_eq!(locks.unlock(Running, TWO).unwrap_err().tag, ErrorTag::OperationFailed);
    assert_eq!(locks.unlock(Candidate, ONE).unwrap_err().tag, ErrorTag::OperationFailed);
    locks.unlock(Running, ONE).unwrap();
    assert_eq!(locks.owner(Running), None);
}

#[test]
fn only_the_holder_can_change_a_locked_datastore() {
    let mut locks = LockTable::default();
    locks.check_change(Running, TWO).unwrap();
    locks.lock(Running, ONE, false, NOW).unwrap();
    locks.check_change(Running, ONE).unwrap();
    locks.check_change(Candidate, TWO).unwrap();
    assert_eq!(locks.check_change(Running, TWO).unwrap_err().tag, ErrorTag::InUse);
}

//= rfc6241#7.5-p3
//= type=test
#[test]
fn locks_end_with_their_session() {
    let mut locks = LockTable::default();
    locks.lock(Running, ONE, false, NOW).unwrap();
    locks.lock(Candidate, TWO, false, NOW).unwrap();
    assert!(!locks.release_all(ONE), "the candidate is not affected");
    assert_eq!((locks.owner(Running), locks.owner(Candidate)), (None, Some(TWO)));
    assert!(locks.release_all(TWO));
    assert_eq!(locks, LockTable::default());
}
