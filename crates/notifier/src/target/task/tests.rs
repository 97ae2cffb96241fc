//! The times at which the task of a target wakes up, on fake clocks.

use portreeve_snmp_apps::QueueEntry;

use super::*;
use crate::{
    target::WaitingInform,
    test_site::{Site, notification},
};

const MINUTE: Duration = Duration::from_secs(60);
/// The shortest sleep of a task.
const MIN_SLEEP: Duration = Duration::from_millis(1);

/// Returns a task that has sent an inform.
async fn task_with_inform(site: &Site) -> Task {
    let target = Rc::new(Target::new("noc".as_bytes().into(), &site.core.settings()));
    let content = notification(10);
    let entry = QueueEntry { id: 1, octets: 100, added: site.core.now(), earlier_age: Duration::ZERO };
    target.push(entry, WaitingInform { content, is_passed_on: false });
    let mut task = Task::new(&target, &site.core);
    task.send_informs().await;
    assert!(task.link.is_some() && task.target.queue.borrow().has_outstanding());
    task
}

/// Lets a minute pass. Returns the number of times that the task wakes up.
async fn wakeups_in_a_minute(site: &Site, task: &mut Task) -> usize {
    let end = site.core.now() + MINUTE;
    let mut count = 0;
    while site.core.now() < end {
        site.clocks.pass(task.deadline().max(MIN_SLEEP));
        task.handle_events().await;
        count += 1;
    }
    count
}

#[test]
fn task_sleeps_while_an_inform_is_outstanding_for_longer_than_the_idle_time() {
    Site::with_inform_timeout(Duration::from_secs(1000)).run(async |site| {
        let mut task = task_with_inform(site).await;
        site.clocks.pass(Duration::from_secs(301));
        let count = wakeups_in_a_minute(site, &mut task).await;
        assert!(count < 10, "{count} wakeups");
        assert!(task.link.is_some(), "the link is open until the inform has its result");
    });
}

#[test]
fn task_closes_a_link_without_informs_after_the_idle_time() {
    Site::with_inform_timeout(Duration::from_secs(1000)).run(async |site| {
        let mut task = task_with_inform(site).await;
        site.acknowledge();
        while !task.target.queue.borrow().is_empty() {
            task.wait().await;
            task.handle_events().await;
        }
        assert_eq!(task.deadline(), Duration::from_secs(300));
        site.clocks.pass(Duration::from_secs(299));
        task.handle_events().await;
        assert!(task.link.is_some());
        site.clocks.pass(Duration::from_secs(1));
        task.handle_events().await;
        assert!(task.link.is_none());
    });
}
