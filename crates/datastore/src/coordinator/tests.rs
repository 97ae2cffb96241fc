use std::{
    cell::RefCell,
    panic::{AssertUnwindSafe, catch_unwind},
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc,
    },
};

use portreeve_lcd::{CertToName, CertToNameKey, CertToNameRow, Lcd, TextScalar};

use super::*;
use crate::{Datastore, LockedState, Purpose, Refusal, RefusalKind, TransactionLimits, TransactionQueue};

/// Appends a letter to sysContact, and notes its steps.
struct Append {
    letter: char,
    /// The steps of all transactions.
    steps: Steps,
    refused: bool,
    commit_refusal: Option<RefusalKind>,
    /// The step that panics.
    panics_at: Option<&'static str>,
    fails_undo: bool,
    stored: bool,
}

type Steps = Rc<RefCell<Vec<String>>>;

impl Append {
    fn note(&self, step: &str) {
        self.steps.borrow_mut().push(format!("{step} {}", self.letter));
        assert_ne!(self.panics_at, Some(step), "a panic for the test");
    }
}

impl Transaction for Append {
    type Participants = Option<Box<dyn FnMut()>>;

    fn prepare(
        &mut self,
        before_prepare: &mut Self::Participants,
        proposed: &mut ProposedState,
    ) -> Result<(), Refusal> {
        self.note("prepare");
        let text = append(&proposed.lcd().tables().scalars.sys_contact.value, self.letter);
        if self.stored {
            proposed.lcd_mut().scalars_mut().sys_contact = TextScalar::set(text);
        }
        if let Some(mut action) = before_prepare.take() {
            action();
        }
        if self.refused { Err(RefusalKind::WrongValue.into()) } else { Ok(()) }
    }

    fn commit(&mut self) -> Result<(), Refusal> {
        self.note("commit");
        self.commit_refusal.map_or(Ok(()), |kind| Err(kind.into()))
    }

    fn undo(&mut self) -> Result<(), Refusal> {
        self.note("undo");
        if self.fails_undo { Err(RefusalKind::UndoFailed.into()) } else { Ok(()) }
    }

    fn publish(&mut self) {
        self.note("publish");
    }
}

fn append(text: &[u8], letter: char) -> Vec<u8> {
    [text, letter.to_string().as_bytes()].concat()
}

/// A log that counts syncs and durable batches.
#[derive(Default)]
struct CountingLog {
    syncs: usize,
    batches: usize,
    /// The position in each group of the first batch that cannot be written.
    rejected: Option<usize>,
    /// True if writing panics.
    panics: bool,
    /// The time at which the last writer was granted the lock.
    granted: Option<Timestamp>,
    /// True if rejected batches may reappear.
    may_reappear: bool,
    datastore: Option<Datastore>,
}

impl DurableLog for CountingLog {
    fn commit_group(&mut self, batches: Vec<TransactionRecords>) -> Result<(), GroupError> {
        self.syncs += 1;
        if let Some(datastore) = &self.datastore {
            let holder = datastore.lock().status().holder.expect("writes happen with the lock");
            self.granted = holder.granted;
        }
        assert!(!self.panics, "a panic for the test");
        let durable = self.rejected.unwrap_or(batches.len());
        self.batches += durable;
        if durable == batches.len() {
            return Ok(());
        }
        Err(GroupError { durable, reason: "disk full".to_owned(), may_reappear: self.may_reappear })
    }
}

struct Fixture {
    datastore: Datastore,
    coordinator: Coordinator<CountingLog>,
    steps: Steps,
}

impl Fixture {
    fn new() -> Self {
        let datastore = Datastore::without_yang(Lcd::default());
        let log = CountingLog { datastore: Some(datastore.clone()), ..CountingLog::default() };
        let coordinator = Coordinator::new(datastore.clone(), log);
        Self { coordinator, datastore, steps: Steps::default() }
    }

    /// Returns a transaction for each letter.
    fn group(&self, letters: &str) -> Vec<Append> {
        let append = |letter| Append {
            letter,
            steps: Rc::clone(&self.steps),
            refused: false,
            commit_refusal: None,
            panics_at: None,
            fails_undo: false,
            stored: true,
        };
        letters.chars().map(append).collect()
    }

    /// Executes the group, and returns the error-status of each transaction, 0 for success.
    fn execute(&mut self, group: &mut [Append]) -> Vec<u8> {
        self.execute_after(group, None)
    }

    /// Calls `action` during the first preparation.
    fn execute_after(&mut self, group: &mut [Append], action: Option<Box<dyn FnMut()>>) -> Vec<u8> {
        let mut participants = action;
        let results = self.coordinator.execute(&mut participants, group, ticket(), || Timestamp::ZERO);
        let status = |result: &TransactionResult| {
            result.as_ref().err().map_or(0, |refusal| refusal.kind.error_status() as u8)
        };
        results.iter().map(status).collect()
    }

    /// Executes a group whose second transaction, or the log, panics in this step.
    fn execute_with_panic(&mut self, step: &'static str) {
        let mut group = self.group("ab");
        group[1].panics_at = Some(step);
        self.coordinator.log_mut().panics = step == "store";
        let executed = catch_unwind(AssertUnwindSafe(|| self.execute(&mut group)));
        assert!(executed.is_err(), "no panic: {step}");
    }

    fn contact(&self) -> String {
        contact(&self.datastore)
    }

    fn generation(&self) -> u64 {
        self.datastore.state().current().generation
    }

    fn steps(&self) -> Vec<String> {
        self.steps.take()
    }
}

fn ticket() -> Ticket {
    Ticket::new("test", Purpose::Set, Timestamp::ZERO)
}

fn contact(datastore: &Datastore) -> String {
    let state = datastore.state().current();
    String::from_utf8(state.lcd.scalars().sys_contact.value.to_vec()).unwrap()
}

/// Appends a letter to sysContact in a transaction of its own, as a reload between two steps does.
fn publish(datastore: &Datastore, letter: char) {
    publish_in(&mut datastore.begin(ticket()), letter);
}

fn publish_in(locked: &mut LockedState, letter: char) {
    let lcd = Arc::clone(&locked.current().lcd);
    let mut draft = portreeve_lcd::LcdDraft::new(Arc::clone(&lcd));
    draft.scalars_mut().sys_contact = TextScalar::set(append(&lcd.scalars().sys_contact.value, letter));
    locked.publish_tables(draft.into_lcd());
}

const COMMIT_FAILED: u8 = portreeve_smi::ErrorStatus::CommitFailed as u8;
const UNDO_FAILED: u8 = portreeve_smi::ErrorStatus::UndoFailed as u8;
const WRONG_VALUE: u8 = portreeve_smi::ErrorStatus::WrongValue as u8;

#[test]
fn sixteen_transactions_share_one_sync_and_one_publication() {
    let mut fixture = Fixture::new();
    let mut group = fixture.group("abcdefghijklmnop");
    assert_eq!(fixture.execute(&mut group), [0; 16]);
    let log = fixture.coordinator.log_mut();
    assert_eq!((log.syncs, log.batches), (1, 16));
    assert_eq!((fixture.contact().as_str(), fixture.generation()), ("abcdefghijklmnop", 1));
    let steps = fixture.steps();
    assert_eq!(
        (steps[0].as_str(), steps[16].as_str(), steps[32].as_str()),
        ("prepare a", "commit a", "publish a")
    );
}

#[test]
fn refused_transaction_does_not_affect_others_of_its_group() {
    let mut fixture = Fixture::new();
    let mut group = fixture.group("abc");
    group[1].refused = true;
    assert_eq!(fixture.execute(&mut group), [0, WRONG_VALUE, 0]);
    assert_eq!(fixture.contact(), "ac");
    assert!(!fixture.steps().iter().any(|step| step == "commit b" || step == "publish b"));
    assert_eq!(fixture.coordinator.log_mut().batches, 2);
}

#[test]
fn group_without_accepted_transaction_takes_no_lock_and_publishes_nothing() {
    let mut fixture = Fixture::new();
    let mut group = fixture.group("ab");
    group.iter_mut().for_each(|transaction| transaction.refused = true);
    let held = fixture.datastore.begin(ticket());
    assert_eq!(fixture.execute(&mut group), [WRONG_VALUE, WRONG_VALUE]);
    drop(held);
    assert_eq!((fixture.generation(), fixture.coordinator.log_mut().syncs), (0, 0));
}

#[test]
fn transaction_that_cannot_be_stored_fails_all_that_follow_it() {
    let mut fixture = Fixture::new();
    fixture.coordinator.log_mut().rejected = Some(2);
    let mut group = fixture.group("abcde");
    group[3].fails_undo = true;
    let mut participants = None;
    let results = fixture.coordinator.execute(&mut participants, &mut group, ticket(), || Timestamp::ZERO);
    let kinds: Vec<_> =
        results.iter().map(|result| result.as_ref().err().map(|refusal| refusal.kind)).collect();
    let failed = Some(RefusalKind::CommitFailed);
    assert_eq!(kinds, [None, None, failed, Some(RefusalKind::UndoFailed), failed]);
    let texts: Vec<String> =
        results.iter().filter_map(|result| Some(result.as_ref().err()?.to_string())).collect();
    assert_eq!(texts[0], "the change could not be stored: disk full");
    assert_eq!(texts[2], "an earlier change could not be stored");
    assert_eq!((fixture.contact().as_str(), fixture.generation()), ("ab", 1));
    let steps = fixture.steps();
    assert_eq!(steps[10..], ["undo e", "undo d", "undo c", "publish a", "publish b"]);
}

/// A refused transaction may conflict only with one that has failed and may be repeated.
#[test]
fn refusals_after_transaction_that_cannot_be_stored_become_commit_failed() {
    let mut fixture = Fixture::new();
    fixture.coordinator.log_mut().rejected = Some(1);
    let mut group = fixture.group("abcde");
    group[1].refused = true;
    group[3].refused = true;
    group[4].commit_refusal = Some(RefusalKind::UndoFailed);
    let expected = [0, WRONG_VALUE, COMMIT_FAILED, COMMIT_FAILED, UNDO_FAILED];
    assert_eq!(fixture.execute(&mut group), expected);
    assert_eq!((fixture.contact().as_str(), fixture.generation()), ("a", 1));
    let steps = fixture.steps();
    let undone: Vec<_> = steps.iter().filter(|step| step.starts_with("undo")).collect();
    assert_eq!(undone, ["undo c"]);
}

#[test]
fn state_remains_unchanged_when_first_transaction_cannot_be_stored() {
    let mut fixture = Fixture::new();
    fixture.coordinator.log_mut().rejected = Some(0);
    let mut group = fixture.group("ab");
    assert_eq!(fixture.execute(&mut group), [COMMIT_FAILED, COMMIT_FAILED]);
    assert_eq!((fixture.contact().as_str(), fixture.generation()), ("", 0));
    fixture.coordinator.log_mut().rejected = None;
    let mut next = fixture.group("c");
    assert_eq!(fixture.execute(&mut next), [0]);
    assert_eq!(fixture.contact(), "c");
}

#[test]
fn transactions_that_may_reappear_fail_with_undo_failed() {
    let mut fixture = Fixture::new();
    let log = fixture.coordinator.log_mut();
    (log.rejected, log.may_reappear) = (Some(1), true);
    let mut group = fixture.group("abcd");
    group[2].refused = true;
    assert_eq!(fixture.execute(&mut group), [0, UNDO_FAILED, COMMIT_FAILED, UNDO_FAILED]);
    assert_eq!((fixture.contact().as_str(), fixture.generation()), ("a", 1));
}

#[test]
fn transactions_are_prepared_again_without_one_whose_commit_fails() {
    let mut fixture = Fixture::new();
    let mut group = fixture.group("abcd");
    group[1].commit_refusal = Some(RefusalKind::CommitFailed);
    assert_eq!(fixture.execute(&mut group), [0, COMMIT_FAILED, 0, 0]);
    assert_eq!(fixture.contact(), "acd");
    let steps = fixture.steps();
    assert_eq!(
        steps[4..],
        [
            "commit a",
            "commit b",
            "prepare c",
            "prepare d",
            "commit c",
            "commit d",
            "publish a",
            "publish c",
            "publish d"
        ]
    );
}

#[test]
fn transactions_are_prepared_again_when_state_moves_before_lock_is_granted() {
    let mut fixture = Fixture::new();
    let mut group = fixture.group("ab");
    let datastore = fixture.datastore.clone();
    let reload = Box::new(move || publish(&datastore, 'r'));
    assert_eq!(fixture.execute_after(&mut group, Some(reload)), [0, 0]);
    assert_eq!((fixture.contact().as_str(), fixture.generation()), ("rab", 2));
    assert_eq!(fixture.steps()[..4], ["prepare a", "prepare b", "prepare a", "prepare b"]);
    // The next transaction starts from the state that has moved, and is prepared once.
    let mut next = fixture.group("c");
    assert_eq!(fixture.execute(&mut next), [0]);
    assert_eq!(fixture.steps(), ["prepare c", "commit c", "publish c"]);
}

#[test]
fn panic_before_commit_leaves_coordinator_usable() {
    let mut fixture = Fixture::new();
    fixture.execute_with_panic("prepare");
    assert!(!fixture.coordinator.was_interrupted());
    let mut next = fixture.group("c");
    assert_eq!(fixture.execute(&mut next), [0]);
    assert_eq!((fixture.contact().as_str(), fixture.generation()), ("c", 1));
}

#[test]
fn panic_during_commit_store_or_publish_is_reported_as_interruption() {
    for step in ["commit", "store", "publish"] {
        let mut fixture = Fixture::new();
        fixture.execute_with_panic(step);
        assert!(fixture.coordinator.was_interrupted(), "{step}");
    }
}

#[test]
fn grant_and_change_have_time_after_wait_for_lock() {
    let datastore = Datastore::without_yang(Lcd::default());
    let now = AtomicU64::new(5);
    let clock = || Timestamp::from_secs(now.load(Ordering::Relaxed));
    let log = CountingLog { datastore: Some(datastore.clone()), ..CountingLog::default() };
    let mut coordinator = Coordinator::new(datastore.clone(), log);
    for moves in [false, true] {
        now.store(5, Ordering::Relaxed);
        let mut held = datastore.begin(ticket());
        std::thread::scope(|scope| {
            let executing =
                scope.spawn(|| coordinator.execute(&mut (), &mut [InsertRule(moves)], ticket(), clock));
            while datastore.lock().status().waiters.is_empty() {
                std::thread::yield_now();
            }
            now.store(9, Ordering::Relaxed);
            if moves {
                publish_in(&mut held, 'r');
            }
            drop(held);
            assert_eq!(executing.join().unwrap(), [Ok(())]);
        });
        let granted = coordinator.log_mut().granted.take();
        let state = datastore.state().current();
        let times = (granted, state.lcd.tables().last_changed.cert_to_names);
        assert_eq!(times, (Some(Timestamp::from_secs(9)), Timestamp::from_secs(9)), "{moves}");
    }
}

/// Inserts a rule for certificates, or removes it.
struct InsertRule(bool);

impl Transaction for InsertRule {
    type Participants = ();

    fn prepare(&mut self, (): &mut (), proposed: &mut ProposedState) -> Result<(), Refusal> {
        let key = CertToNameKey { priority: 1 };
        if self.0 {
            proposed.lcd_mut().remove::<CertToName>(&key);
        } else {
            proposed.lcd_mut().insert(CertToNameRow::new(key));
        }
        Ok(())
    }
}

#[test]
fn transactions_without_records_are_not_written() {
    let mut fixture = Fixture::new();
    let mut group = fixture.group("ab");
    group.iter_mut().for_each(|transaction| transaction.stored = false);
    assert_eq!(fixture.execute(&mut group), [0, 0]);
    assert_eq!((fixture.coordinator.log_mut().syncs, fixture.generation()), (0, 0));
    // They fail nevertheless if an earlier transaction fails, on which they may be based.
    let mut group = fixture.group("abc");
    group[1].stored = false;
    group[1].fails_undo = true;
    fixture.coordinator.log_mut().rejected = Some(0);
    assert_eq!(fixture.execute(&mut group), [COMMIT_FAILED, UNDO_FAILED, COMMIT_FAILED]);
}

/// A log whose writes wait for the test.
struct GatedLog {
    /// Receives the number of transactions of each write when it begins.
    writes: mpsc::Sender<usize>,
    gate: mpsc::Receiver<()>,
}

impl DurableLog for GatedLog {
    fn commit_group(&mut self, batches: Vec<TransactionRecords>) -> Result<(), GroupError> {
        self.writes.send(batches.len()).unwrap();
        self.gate.recv().unwrap();
        Ok(())
    }
}

/// Appends an `x` to sysContact.
struct AppendX;

impl Transaction for AppendX {
    type Participants = ();

    fn prepare(&mut self, (): &mut (), proposed: &mut ProposedState) -> Result<(), Refusal> {
        let text = append(&proposed.lcd().tables().scalars.sys_contact.value, 'x');
        proposed.lcd_mut().scalars_mut().sys_contact = TextScalar::set(text);
        Ok(())
    }
}

#[test]
fn transactions_that_arrive_during_a_write_share_the_next_one() {
    let (writes, written) = mpsc::channel();
    let (open, gate) = mpsc::channel();
    let datastore = Datastore::without_yang(Lcd::default());
    let limits = TransactionLimits { transactions: 100, octets: 100 };
    let queue = TransactionQueue::new(limits);
    let mut coordinator = Coordinator::new(datastore.clone(), GatedLog { writes, gate });
    let waiting = queue.clone();
    let executing = std::thread::spawn(move || {
        while let Some(mut group) = waiting.take_group(limits) {
            let results = coordinator.execute(&mut (), &mut group, ticket(), || Timestamp::ZERO);
            assert!(results.iter().all(Result::is_ok));
        }
    });
    queue.push(AppendX, 1, ()).ok().unwrap();
    assert_eq!(written.recv(), Ok(1));
    assert_eq!(contact(&datastore), "", "nothing is visible before it is durable");
    (0..15).for_each(|_| queue.push(AppendX, 1, ()).ok().unwrap());
    open.send(()).unwrap();
    assert_eq!(written.recv(), Ok(15));
    assert_eq!(contact(&datastore), "x");
    open.send(()).unwrap();
    queue.close();
    executing.join().unwrap();
    assert!(written.recv().is_err(), "sixteen transactions need two writes");
    assert_eq!(contact(&datastore).len(), 16);
}

mod compilation;
mod trees;
