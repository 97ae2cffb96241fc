//! `kill -9` at a random moment of commits over NETCONF, with SETs of the same tree between them.
//!
//! Two writers work until the agent is killed. The first one commits edits, directly or through the
//! candidate, and sets texts of the same list over SNMP; at most one of its changes is not
//! acknowledged. The second one sets sysContact and the text of row 0 to the same number, which
//! increases. After a restart, a change that was not acknowledged is there completely or not at
//! all, and all others are there.
//!
//! `PORTREEVE_KILLS` sets the number of kills, and lets the largest edits have 100 000 leafs
//! instead of 10 000; the default is 50. `PORTREEVE_SEED` repeats the changes of another run.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use std::{env, fmt, fs};

use portreeve_mib::modules::snmpv2_mib::{SYS_CONTACT, SYS_LOCATION};
use portreeve_secret::Secret;
use portreeve_smi::Value;
use portreeve_snmp_manager::{Credentials, Operation, Request, RetryPolicy};

use crate::crashes::is_expected;
use crate::fixture::{Manager, NetconfClient, Random, SecureAgent, WRITE_COMMUNITY, run_with_netconf};

#[test]
fn killed_commit_is_complete_or_absent_and_acknowledged_changes_survive() {
    let kills: Option<u32> = env::var("PORTREEVE_KILLS").ok().map(|text| text.parse().unwrap());
    let seed = env::var("PORTREEVE_SEED").map_or_else(|_| seed_of_clock(), |text| text.parse().unwrap());
    println!("PORTREEVE_SEED={seed}");
    let mut random = Random::new(seed);
    let agent_site = SecureAgent::new("netconf-kills", "[netconf]\nrecovery = [\"ops\"]\n");
    let log = agent_site.home.state().join("state.log");
    let mut agent = run_with_netconf(&agent_site);
    NetconfClient::open(&agent_site).succeed(&edit("running", &table(&entry(0, "0"))));
    agent_site.home.writer().set_text(&SYS_CONTACT, "0").unwrap();
    let max_rows = if kills.is_some() { MAX_ROWS_LONG } else { MAX_ROWS };
    let mut first = FirstWriter::new(Random::new(seed >> 1), max_rows);
    let mut second = SecondWriter::default();
    let mut totals = Totals::default();
    let rounds = kills.unwrap_or(50);
    for round in 0..rounds {
        let mut client = NetconfClient::open(&agent_site);
        let found = Found::read(&mut client);
        first.check(round, &found, &mut totals);
        second.check(round, &found);
        found.check_over_snmp(&mut manager(&agent_site), &mut random);
        let progress = Progress::default();
        let moment = MOMENTS[round as usize % MOMENTS.len()];
        thread::scope(|scope| {
            let writers = [
                scope.spawn(|| first.work(&agent_site, &mut client, &progress, moment)),
                scope.spawn(|| second.work(&agent_site, &progress)),
            ];
            let has_failed = || writers.iter().any(ScopedJoinHandle::is_finished);
            wait_for(moment, &mut random, &progress, &log, &has_failed);
            progress.is_killed.store(true, Relaxed);
            agent.kill();
        });
        agent = run_with_netconf(&agent_site);
        assert!(agent.log().lines().all(is_expected), "{}", agent.log());
    }
    let found = Found::read(&mut NetconfClient::open(&agent_site));
    first.check(rounds, &found, &mut totals);
    second.check(rounds, &found);
    println!("{rounds} kills: {totals:?}, {} SETs of row 0, PORTREEVE_SEED={seed}", second.acknowledged);
    assert!(totals.unacknowledged > rounds / 4, "{totals:?}: too few changes were killed");
}

/// The content that the first writer changes.
#[derive(Clone, Default, PartialEq, Eq)]
struct Content {
    location: String,
    texts: BTreeMap<u32, String>,
}

/// A change of the first writer.
enum Change {
    /// Sets `location` to the number of the edit, and sets or removes rows.
    Edit { number: u32, rows: Range<u32>, action: Action },
    /// Sets the text of one row over SNMP.
    Set { row: u32, text: String },
}

#[derive(Clone, Copy)]
enum Action {
    /// The texts are followed by this many octets.
    Write {
        padding: usize,
    },
    Remove,
}

impl Change {
    fn apply(&self, content: &mut Content) {
        match self {
            Self::Edit { number, rows, action } => {
                content.location = number.to_string();
                for row in rows.clone() {
                    match *action {
                        Action::Write { padding } => {
                            content.texts.insert(row, text_of(*number, row, padding))
                        }
                        Action::Remove => content.texts.remove(&row),
                    };
                }
            }
            Self::Set { row, text } => drop(content.texts.insert(*row, text.clone())),
        }
    }
}

/// Returns the configuration of an edit.
fn config_of(number: u32, rows: Range<u32>, action: Action) -> String {
    let location = format!("<system xmlns=\"{SYSTEM}\"><location>{number}</location></system>");
    let entries = rows.map(|row| match action {
        Action::Write { padding } => entry(row, &text_of(number, row, padding)),
        Action::Remove => format!("<entry nc:operation=\"remove\"><number>{row}</number></entry>"),
    });
    location + &table(&entries.collect::<String>())
}

/// The writer of edits, and of SETs between them.
struct FirstWriter {
    /// The content after the last acknowledged change.
    content: Content,
    /// The change that was begun and is not acknowledged.
    pending: Option<Change>,
    random: Random,
    /// The number of the last edit.
    number: u32,
    max_rows: usize,
}

impl FirstWriter {
    fn new(random: Random, max_rows: usize) -> Self {
        Self { content: Content::default(), pending: None, random, number: 0, max_rows }
    }

    /// Changes the tree until the agent is killed.
    fn work(
        &mut self,
        agent_site: &SecureAgent,
        client: &mut NetconfClient,
        progress: &Progress,
        moment: Moment,
    ) {
        let mut manager = manager(agent_site);
        progress.ready_writers.fetch_add(1, Relaxed);
        loop {
            let change = self.next_change(moment == Moment::DuringWriting);
            let is_acknowledged = match &change {
                Change::Edit { number, rows, action } => {
                    let config = config_of(*number, rows.clone(), *action);
                    let mut target = "running";
                    if self.random.below(4) == 0 {
                        target = "commit";
                        if !ask(client, &edit("candidate", &config), progress) {
                            return;
                        }
                    }
                    progress.begun.fetch_add(1, Relaxed);
                    self.pending = Some(change);
                    match target {
                        "commit" => ask(client, "<commit/>", progress),
                        _ => ask(client, &edit("running", &config), progress),
                    }
                }
                Change::Set { row, text } => {
                    let (row, text) = (*row, text.clone());
                    progress.begun.fetch_add(1, Relaxed);
                    self.pending = Some(change);
                    set(&mut manager, &[(text_oid(row), &text)], progress)
                }
            };
            if !is_acknowledged {
                return;
            }
            self.pending.take().unwrap().apply(&mut self.content);
            progress.acknowledged.fetch_add(1, Relaxed);
        }
    }

    fn next_change(&mut self, is_large: bool) -> Change {
        let random = &mut self.random;
        let last = self.content.texts.keys().next_back().copied().unwrap_or(0);
        if !is_large && random.below(3) == 0 && last > 0 {
            let rows = self.content.texts.keys();
            let row = *rows.clone().nth(random.below(rows.len())).unwrap();
            return Change::Set { row, text: format!("SET {}", random.below(1_000_000)) };
        }
        self.number += 1;
        let write = Action::Write { padding: random.below(MAX_PADDING) };
        let (rows, action) = if last > USUAL_ROWS as u32 {
            (USUAL_ROWS as u32 + 1..last + 1, Action::Remove)
        } else if random.below(20) == 0 {
            (1..1 + random.below(self.max_rows + 1) as u32, write)
        } else if is_large {
            let count = (USUAL_ROWS / 2 + random.below(USUAL_ROWS / 2)) as u32;
            (1..1 + count, Action::Write { padding: MAX_PADDING })
        } else {
            // Small edits are as frequent as large ones.
            let bits = random.below(USUAL_ROWS.ilog2() as usize + 2);
            let count = random.below(1 << bits).min(USUAL_ROWS) as u32;
            let start = 1 + random.below(USUAL_ROWS + 1 - count as usize) as u32;
            let action = if random.below(5) == 0 { Action::Remove } else { write };
            (start..start + count, action)
        };
        Change::Edit { number: self.number, rows, action }
    }

    /// Compares the content after a restart with the acknowledged changes.
    fn check(&mut self, round: u32, found: &Found, totals: &mut Totals) {
        if found.content != self.content {
            let pending = self.pending.as_ref();
            let mut expected = self.content.clone();
            pending.inspect(|change| change.apply(&mut expected));
            assert!(
                found.content == expected,
                "round {round}: before the unacknowledged change {}, after it {}, found {}: {} rows differ from before, \
                 {} from after",
                self.content,
                expected,
                found.content,
                found.content.count_differences(&self.content),
                found.content.count_differences(&expected),
            );
            totals.complete += 1;
            self.content = expected;
        }
        totals.unacknowledged += u32::from(self.pending.take().is_some());
    }
}

/// The writer of sysContact and of row 0.
#[derive(Default)]
struct SecondWriter {
    /// The last number that the agent has confirmed.
    acknowledged: u32,
    /// The last number that the writer has sent.
    attempted: u32,
}

impl SecondWriter {
    /// Sets both values until the agent is killed.
    fn work(&mut self, agent_site: &SecureAgent, progress: &Progress) {
        let mut manager = manager(agent_site);
        progress.ready_writers.fetch_add(1, Relaxed);
        loop {
            self.attempted += 1;
            let text = self.attempted.to_string();
            let contact = [&SYS_CONTACT.oid()[..], &[0]].concat();
            if !set(&mut manager, &[(contact, &text), (text_oid(0), &text)], progress) {
                return;
            }
            self.acknowledged = self.attempted;
        }
    }

    /// Compares the values after a restart with the acknowledged number.
    fn check(&mut self, round: u32, found: &Found) {
        assert_eq!(found.contact, found.text_of_row_0, "round {round}: a part of a SET is missing");
        let number = found.contact.parse().unwrap();
        assert!(
            (self.acknowledged..=self.attempted).contains(&number),
            "round {round}: SET {} was acknowledged, {} was sent, and {number} was found",
            self.acknowledged,
            self.attempted
        );
        (self.acknowledged, self.attempted) = (number, number);
    }
}

/// The tree after a restart.
struct Found {
    content: Content,
    contact: String,
    text_of_row_0: String,
}

impl Found {
    fn read(client: &mut NetconfClient) -> Self {
        let running = client.running();
        let mut texts: BTreeMap<_, _> = running
            .split("<entry>")
            .skip(1)
            .map(|entry| {
                (value_of(entry, "number").unwrap().parse().unwrap(), value_of(entry, "text").unwrap())
            })
            .collect();
        let text_of_row_0 = texts.remove(&0).unwrap();
        let location = value_of(&running, "location").unwrap_or_default();
        Self {
            content: Content { location, texts },
            contact: value_of(&running, "contact").unwrap(),
            text_of_row_0,
        }
    }

    /// Compares some values with those that SNMP shows.
    fn check_over_snmp(&self, manager: &mut Manager, random: &mut Random) {
        assert_eq!(manager.text(&SYS_CONTACT), self.contact);
        assert_eq!(manager.text(&SYS_LOCATION), self.content.location);
        assert_eq!(text_over_snmp(manager, 0).as_ref(), Some(&self.text_of_row_0));
        for _ in 0..5 {
            let row = 1 + random.below(USUAL_ROWS) as u32;
            assert_eq!(text_over_snmp(manager, row).as_ref(), self.content.texts.get(&row), "row {row}");
        }
    }
}

impl Content {
    fn count_differences(&self, other: &Self) -> usize {
        let keys: BTreeSet<_> = self.texts.keys().chain(other.texts.keys()).collect();
        keys.into_iter().filter(|key| self.texts.get(key) != other.texts.get(key)).count()
    }
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "edit {:?} with {} rows", self.location, self.texts.len())
    }
}

/// The progress of the writers between two kills.
#[derive(Default)]
struct Progress {
    /// The number of writers that have a session.
    ready_writers: AtomicU32,
    /// The number of changes of the first writer that were begun, and acknowledged.
    begun: AtomicU32,
    acknowledged: AtomicU32,
    is_killed: AtomicBool,
}

/// The moment of a change at which the agent is killed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moment {
    /// A random time after the beginning.
    AfterBeginning,
    /// When a part of it is written. The changes are large, because small ones are one frame.
    DuringWriting,
    Acknowledgement,
}

#[derive(Debug, Default)]
struct Totals {
    /// The number of changes of the first writer that were not acknowledged before the kill.
    unacknowledged: u32,
    /// The number of those that were found after the restart.
    complete: u32,
}

/// Waits for one of the first changes, and then for a moment of it.
fn wait_for(
    moment: Moment,
    random: &mut Random,
    progress: &Progress,
    log: &Path,
    has_failed: &dyn Fn() -> bool,
) {
    let deadline = Instant::now() + MAX_WAIT;
    let wait_until = |condition: &dyn Fn() -> bool| {
        while !condition() && !has_failed() && Instant::now() < deadline {
            thread::sleep(Duration::from_micros(20));
        }
    };
    wait_until(&|| progress.ready_writers.load(Relaxed) == 2);
    let change = progress.begun.load(Relaxed) + 1 + random.below(4) as u32;
    wait_until(&|| progress.begun.load(Relaxed) >= change);
    let is_acknowledged = || progress.acknowledged.load(Relaxed) >= change;
    match moment {
        Moment::AfterBeginning => {
            // Short times are as frequent as long ones, because the changes have all sizes.
            let max = 1 << random.below(20);
            let end = Instant::now() + Duration::from_micros(random.below(max) as u64);
            wait_until(&|| Instant::now() >= end || is_acknowledged());
        }
        Moment::DuringWriting => {
            let length = || fs::metadata(log).map_or(0, |metadata| metadata.len());
            let before = length();
            // The SETs of the other writer make the log less than this longer.
            wait_until(&|| !(before..before + 65_536).contains(&length()) || is_acknowledged());
            let max = 1 << random.below(12);
            thread::sleep(Duration::from_micros(random.below(max) as u64));
        }
        Moment::Acknowledgement => wait_until(&is_acknowledged),
    }
}

/// Sends a request; returns false if the agent was killed before the reply.
fn ask(client: &mut NetconfClient, operation: &str, progress: &Progress) -> bool {
    client.request(operation);
    let reply = client.receive();
    let Some(reply) = reply else {
        assert!(progress.is_killed.load(Relaxed), "no reply from an agent that runs");
        return false;
    };
    assert!(reply.contains("<ok/>"), "{reply}");
    true
}

/// Sets texts; returns false if the agent was killed before the response.
fn set(manager: &mut Manager, texts: &[(Vec<u32>, &String)], progress: &Progress) -> bool {
    let mut request = Request::new(Operation::Set);
    for (oid, text) in texts {
        request.push(oid, Value::OctetString(text.as_bytes()));
    }
    match manager.client.request(&request) {
        Ok(response) => {
            assert!(!response.is_error(), "{:?}", response.error_status());
            true
        }
        Err(error) => {
            assert!(progress.is_killed.load(Relaxed), "no response from an agent that runs: {error}");
            false
        }
    }
}

/// Returns the text of a row; `None` if there is no such row.
fn text_over_snmp(manager: &mut Manager, row: u32) -> Option<String> {
    let response = manager.client.request(&Request::read(Operation::Get, [text_oid(row)])).unwrap();
    match response.var_binds().iter().next().unwrap().value {
        Value::OctetString(text) => Some(String::from_utf8(text.to_vec()).unwrap()),
        Value::NoSuchInstance => None,
        other => panic!("{other:?}"),
    }
}

/// Returns a manager on a connection, whose end shows that the agent was killed.
fn manager(agent_site: &SecureAgent) -> Manager {
    let credentials = Credentials::V2c(Secret::from(WRITE_COMMUNITY));
    Manager::with(&agent_site.home.tcp(), credentials, RetryPolicy::fixed(MAX_WAIT, 0))
}

fn edit(target: &str, config: &str) -> String {
    format!(
        "<edit-config><target><{target}/></target>\
         <config xmlns:nc=\"urn:ietf:params:xml:ns:netconf:base:1.0\">{config}</config></edit-config>"
    )
}

fn entry(row: u32, text: &str) -> String {
    format!("<entry><number>{row}</number><text>{text}</text></entry>")
}

fn table(entries: &str) -> String {
    format!("<texts xmlns=\"{TEXTS}\">{entries}</texts>")
}

/// Returns a text that no other edit or row has.
fn text_of(number: u32, row: u32, padding: usize) -> String {
    format!("{number}.{row}.{}", "x".repeat(padding))
}

/// Returns the content of the first element with this name.
fn value_of(xml: &str, name: &str) -> Option<String> {
    let (_, rest) = xml.split_once(&format!("<{name}>"))?;
    rest.split_once("</").map(|(value, _)| value.to_owned())
}

/// Returns the identifier of the text of a row.
fn text_oid(row: u32) -> Vec<u32> {
    vec![1, 3, 6, 1, 4, 1, 32473, 7, 1, 2, row]
}

fn seed_of_clock() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64
}

/// The maximum number of rows in most edits, and the number above which the next edit removes rows.
const USUAL_ROWS: usize = 2000;
/// The maximum number of rows, each of which has two leafs, in the other edits.
const MAX_ROWS: usize = 5000;
/// With the number of the edit and of the row, a text has at most 255 octets.
const MAX_PADDING: usize = 230;
const MAX_ROWS_LONG: usize = 50_000;
/// The time after which a test fails because nothing happens.
const MAX_WAIT: Duration = Duration::from_secs(60);
const SYSTEM: &str = "urn:ietf:params:xml:ns:yang:ietf-system";
const MOMENTS: [Moment; 3] = [Moment::AfterBeginning, Moment::DuringWriting, Moment::Acknowledgement];
const TEXTS: &str = "urn:example:texts";
