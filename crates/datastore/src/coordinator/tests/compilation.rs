//! The time at which the new state is compiled.

use std::sync::Weak;

use portreeve_lcd::{StorageType, UserKey, UserRow};
use portreeve_smi::EngineId;

use super::*;

/// A compiled state refers to each user once more than its tables.
#[test]
fn state_is_compiled_before_its_records_are_stored() {
    let user = InsertedUser::default();
    let datastore = Datastore::without_yang(Lcd::default());
    let log = ReferenceLog { user: Rc::clone(&user), references: 0 };
    let mut coordinator = Coordinator::new(datastore.clone(), log);
    let results = coordinator.execute(&mut Rc::clone(&user), &mut [InsertUser], ticket(), || Timestamp::ZERO);
    assert_eq!(results, [Ok(())]);
    assert_eq!(datastore.state().current().generation, 1);
    let published = user.borrow().strong_count();
    assert_eq!((coordinator.log_mut().references, published), (2, 2));
}

/// The row that [`InsertUser`] has inserted.
type InsertedUser = Rc<RefCell<Weak<UserRow>>>;

/// Inserts a row into usmUserTable.
struct InsertUser;

impl Transaction for InsertUser {
    type Participants = InsertedUser;

    fn prepare(&mut self, user: &mut InsertedUser, proposed: &mut ProposedState) -> Result<(), Refusal> {
        let key = UserKey { engine_id: EngineId::LOCAL, name: b"ops"[..].into() };
        proposed.lcd_mut().insert(UserRow::new(key.clone()).into_active(StorageType::NonVolatile));
        *user.borrow_mut() = Arc::downgrade(proposed.lcd().tables().users.get(&key).unwrap());
        Ok(())
    }
}

/// A log that counts the references to the user when it writes.
struct ReferenceLog {
    user: InsertedUser,
    references: usize,
}

impl DurableLog for ReferenceLog {
    fn commit_group(&mut self, _: Vec<TransactionRecords>) -> Result<(), GroupError> {
        self.references = self.user.borrow().strong_count();
        Ok(())
    }
}
