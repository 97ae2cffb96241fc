//! Keys are wiped before the memory that contained them is freed.

use portreeve_crypto::{AuthProtocol, LocalizedKey, make_key_change};
use portreeve_lcd::{Tables, carry_over};
use portreeve_mib::modules::usm_mib::*;
use portreeve_secret::Secret;
use portreeve_smi::{ErrorStatus, Value};
use portreeve_sys::SearchingAllocator;

use super::agent::*;

#[global_allocator]
static ALLOCATOR: SearchingAllocator = SearchingAllocator::new(&[KEY, KEY_IN_RECORDS, RANDOM_PART]);

const KEY: &[u8; 32] = b"key that freed memory must lack!";
const KEY_IN_RECORDS: &[u8; 64] = b"6b65792074686174206672656564206d656d6f7279206d757374206c61636b21";
const RANDOM_PART: &[u8; 32] = b"part of a change of a user's key";

/// The key passes through SETs, records, a restart, a reload and old states. This is one test,
/// because another one that frees an unwiped key on purpose would be counted.
#[test]
fn freed_memory_contains_no_key_after_sets_restart_and_reload() {
    let index = user_index("ops");
    let change = {
        let key = |octets: &[u8]| LocalizedKey::from_octets(octets).unwrap();
        let protocol = AuthProtocol::HmacSha256_192;
        Secret::new(make_key_change(protocol, &key(&[7; 32]), &key(KEY), RANDOM_PART).unwrap())
    };
    let key_change = (&USM_USER_AUTH_KEY_CHANGE, &index[..], Value::OctetString(change.expose()));
    let mut agent = TestAgent::new();
    agent.change(|tables| tables.insert(user("ops")));
    agent.set(&[key_change]).unwrap();
    assert!(has_key(&agent));
    agent.set(&[(&USM_USER_PUBLIC, &index, Value::OctetString(b"a"))]).unwrap();
    let other = (&USM_USER_PUBLIC, &[1][..], Value::OctetString(b"a"));
    assert_eq!(agent.set(&[key_change, other]), Err((1, ErrorStatus::NoCreation)));
    let mut restarted = agent.restarted();
    assert!(has_key(&restarted));
    restarted.set(&[(&USM_USER_PUBLIC, &index, Value::OctetString(b"b"))]).unwrap();
    let reloaded = carry_over(Tables::default(), restarted.lcd().tables(), &Tables::default());
    assert_ne!(reloaded.tables.table_differences(agent.lcd().tables()), []);
    restarted.set(&[(&USM_USER_STATUS, &index, DESTROY)]).unwrap();
    drop((agent, restarted, reloaded, change));
    assert_eq!(ALLOCATOR.found(), 0);

    drop([KEY.to_vec(), KEY_IN_RECORDS.to_vec(), RANDOM_PART.to_vec()]);
    assert_eq!(ALLOCATOR.found(), 3);
}

fn has_key(agent: &TestAgent) -> bool {
    let lcd = agent.lcd();
    lcd.user(&engine_id(), b"ops").unwrap().auth.as_ref().unwrap().key.expose() == KEY
}
