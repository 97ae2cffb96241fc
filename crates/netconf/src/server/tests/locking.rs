//! Locks of two sessions, and killed sessions.

use crate::EndReason;
use crate::test_server::{OK, TestServer, tags};

const LOCK: &str = "<lock><target><running/></target></lock>";
const UNLOCK: &str = "<unlock><target><running/></target></unlock>";
const LOCK_CANDIDATE: &str = "<lock><target><candidate/></target></lock>";
const UNLOCK_CANDIDATE: &str = "<unlock><target><candidate/></target></unlock>";
const EDIT: &str = "<top xmlns='urn:example'><tag>a</tag></top>";

#[test]
fn lock_excludes_changes_of_others() {
    let mut server = TestServer::new();
    let (mut one, mut two) = (server.client("writer"), server.client("writer"));
    assert_eq!(one.request(&mut server, LOCK), OK);
    let reply = two.request(&mut server, LOCK);
    assert_eq!(tags(&reply), ["lock-denied"]);
    assert!(reply.contains("<session-id>1</session-id>"), "{reply}");
    assert_eq!(tags(&two.edit(&mut server, "running", EDIT)), ["in-use"]);
    assert_eq!(tags(&two.request(&mut server, UNLOCK)), ["operation-failed"]);
    assert_eq!(two.edit(&mut server, "candidate", EDIT), OK);
    assert_eq!(tags(&two.request(&mut server, "<commit/>")), ["in-use"]);
    assert_eq!(one.edit(&mut server, "running", EDIT), OK);
    assert_eq!(one.request(&mut server, UNLOCK), OK);
    assert_eq!(two.edit(&mut server, "running", EDIT), OK);
    assert_eq!(server.running_locks, [Some(1), None]);
}

//= rfc6241#8.3.5.2-p1
//= type=test
#[test]
fn unlock_and_the_end_of_the_holder_discard_the_candidate() {
    let mut server = TestServer::new();
    let (mut one, mut two) = (server.client("writer"), server.client("writer"));
    for ends in [false, true] {
        assert_eq!(one.request(&mut server, LOCK_CANDIDATE), OK);
        assert_eq!(one.edit(&mut server, "candidate", EDIT), OK);
        assert_eq!(tags(&two.edit(&mut server, "candidate", EDIT)), ["in-use"]);
        assert_eq!(tags(&two.request(&mut server, "<discard-changes/>")), ["in-use"]);
        assert_eq!(tags(&two.request(&mut server, "<commit/>")), ["in-use"]);
        match ends {
            false => assert_eq!(one.request(&mut server, UNLOCK_CANDIDATE), OK),
            true => server.server.closed(one.id),
        }
        assert_eq!(two.data(&mut server, "candidate", ""), "");
        assert!(!server.server.status().is_candidate_modified);
    }
}

#[test]
fn modified_candidate_cannot_be_locked() {
    let mut server = TestServer::new();
    let (mut one, mut two) = (server.client("writer"), server.client("writer"));
    assert_eq!(one.edit(&mut server, "candidate", EDIT), OK);
    for client in [&mut one, &mut two] {
        let reply = client.request(&mut server, LOCK_CANDIDATE);
        assert_eq!(tags(&reply), ["lock-denied"]);
        assert!(reply.contains("<session-id>0</session-id>"), "{reply}");
    }
    assert_eq!(two.request(&mut server, "<discard-changes/>"), OK);
    assert_eq!(one.request(&mut server, LOCK_CANDIDATE), OK);
}

//= rfc6241#7.9-p2
//= type=test
#[test]
fn killed_session_loses_its_locks() {
    let mut server = TestServer::new();
    let (mut one, mut root) = (server.client("writer"), server.client("root"));
    assert_eq!(one.request(&mut server, LOCK), OK);
    let kill = |id: u32| format!("<kill-session><session-id>{id}</session-id></kill-session>");
    assert_eq!(tags(&one.request(&mut server, &kill(2))), ["access-denied"]);
    assert_eq!(tags(&root.request(&mut server, &kill(2))), ["invalid-value"], "its own identifier");
    assert_eq!(tags(&root.request(&mut server, &kill(77))), ["invalid-value"]);
    assert_eq!(root.request(&mut server, &kill(1)), OK);
    assert_eq!(server.closes, [(1, EndReason::KilledBySession(2))]);
    assert_eq!(root.request(&mut server, LOCK), OK);
    assert_eq!(server.running_locks, [Some(1), None, Some(2)]);
    assert!(server.server.phase(1).is_none() && server.server.is_closing(1));
    assert_eq!(tags(&root.request(&mut server, &kill(1))), ["invalid-value"], "it has ended");
}

#[test]
fn operator_breaks_locks_and_ends_sessions() {
    use portreeve_netconf_message::rpc::Datastore;
    let mut server = TestServer::new();
    let mut one = server.client("writer");
    assert_eq!(one.request(&mut server, LOCK), OK);
    assert_eq!(one.request(&mut server, LOCK_CANDIDATE), OK);
    assert_eq!(one.edit(&mut server, "candidate", EDIT), OK);
    let status = server.server.status();
    assert_eq!(status.locks.len(), 2);
    assert_eq!(status.locks[0].lock.owner.session_id(), 1);
    assert!(server.server.break_lock(Datastore::Running) && server.server.break_lock(Datastore::Candidate));
    assert!(!server.server.break_lock(Datastore::Running));
    assert_eq!(one.data(&mut server, "candidate", ""), "");
    assert!(server.server.kill(1) && !server.server.kill(1));
    server.run_actions();
    assert_eq!(server.closes, [(1, EndReason::KilledByOperator)]);
}
