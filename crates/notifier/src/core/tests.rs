use std::sync::mpsc;

use tokio::time::sleep;

use super::*;
use crate::test_site::{Site, notification};

#[test]
fn inform_of_another_program_is_queued_when_it_is_durable() {
    Site::new().run(async |site| {
        let result = site.submit(10);
        assert_eq!(site.queue().entries, 0);
        assert!(result.try_recv().is_err());
        site.finish_write(Ok(()));
        assert_eq!(result.try_recv().unwrap().unwrap().informs, 1);
        assert_eq!(site.queue().entries, 1);
    });
}

#[test]
fn inform_of_another_program_is_refused_when_it_cannot_be_stored() {
    Site::new().run(async |site| {
        let result = site.submit(10);
        site.finish_write(Err("no space".to_owned()));
        assert_eq!(result.try_recv().unwrap(), Err(SubmitError::NotStored("no space".to_owned())));
        assert_eq!((site.queue().entries, site.core.status().write_failures), (0, 1));
    });
}

#[test]
fn inform_of_the_agent_is_sent_while_the_disk_does_not_respond() {
    Site::new().run(async |site| {
        site.core.notify(&notification(10));
        site.receiver.set_nonblocking(true).unwrap();
        let mut buffer = [0; 1000];
        let mut attempts = 0..2000;
        while site.receiver.recv(&mut buffer).is_err() {
            attempts.next().expect("an inform");
            sleep(std::time::Duration::from_millis(5)).await;
        }
        assert_eq!(site.core.status().waiting_writes, 1);
        assert_eq!(site.queue().entries, 1);
    });
}

#[test]
fn writes_are_bounded_while_the_disk_does_not_respond() {
    Site::new().run(async |site| {
        let results: Vec<_> = (0..200).map(|_| site.submit(60_000)).collect();
        let is_busy = |result: &mpsc::Receiver<_>| result.try_recv() == Ok(Err(SubmitError::Busy));
        let busy = results.iter().filter(|result| is_busy(result)).count();
        assert!((1..199).contains(&busy), "{busy} of 200 were refused");
        let waiting = site.core.status().waiting_writes;
        assert_eq!(waiting, 200 - busy);
        // The agent's own informs are queued, but not written before there is room.
        site.core.notify(&notification(60_000));
        assert_eq!((site.queue().entries, site.core.status().waiting_writes), (1, waiting));
        for _ in 0..waiting {
            site.finish_write(Ok(()));
        }
        assert_eq!((site.queue().entries, site.core.status().waiting_writes), (1 + waiting, 1));
    });
}
