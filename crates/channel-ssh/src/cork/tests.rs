use std::sync::{Arc, Mutex};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex},
    sync::mpsc,
};

use super::*;

/// Notes how long each write was.
struct Noted(DuplexStream, Arc<Mutex<Vec<usize>>>);

impl AsyncRead for Noted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, into)
    }
}

impl AsyncWrite for Noted {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        octets: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.0).poll_write(context, octets);
        if let Poll::Ready(Ok(count)) = &written {
            self.1.lock().unwrap().push(*count);
        }
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}

fn run(test: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(test);
}

fn pair(enabled: bool, room: usize) -> (Corked<Noted>, DuplexStream, Arc<Mutex<Vec<usize>>>) {
    let (near, far) = duplex(room);
    let notes = Arc::default();
    (Corked::new(Noted(near, Arc::clone(&notes)), enabled), far, notes)
}

#[test]
fn what_is_written_before_a_read_leaves_together() {
    for (enabled, expected) in [(true, vec![6]), (false, vec![1, 2, 3])] {
        run(async {
            let (mut near, mut far, notes) = pair(enabled, 100);
            let talk = async {
                for part in [&b"a"[..], b"bb", b"ccc"] {
                    near.write_all(part).await.unwrap();
                    near.flush().await.unwrap();
                }
                near.read_u8().await.unwrap()
            };
            let answer = async {
                let mut heard = [0; 6];
                far.read_exact(&mut heard).await.unwrap();
                assert_eq!(&heard, b"abbccc");
                far.write_u8(7).await.unwrap();
            };
            assert_eq!(tokio::join!(talk, answer).0, 7);
            assert_eq!(*notes.lock().unwrap(), expected);
        });
    }
}

#[test]
fn what_another_task_has_to_add_in_its_turn_leaves_along() {
    run(async {
        let (mut near, mut far, notes) = pair(true, 100);
        let (sender, mut orders) = mpsc::channel(1);
        let talk = async {
            near.write_all(b"new keys").await.unwrap();
            loop {
                tokio::select! {
                    // So that what waits is looked at before the order that woke us.
                    biased;
                    heard = near.read_u8() => return heard.unwrap(),
                    Some(order) = orders.recv() => near.write_all(order).await.unwrap(),
                }
            }
        };
        let other = async {
            sender.send(b"request").await.unwrap();
            let mut heard = [0; 15];
            far.read_exact(&mut heard).await.unwrap();
            far.write_u8(7).await.unwrap();
        };
        assert_eq!(tokio::join!(talk, other).0, 7);
        assert_eq!(*notes.lock().unwrap(), [15]);
    });
}

#[test]
fn a_stream_is_told_of_the_end_when_octets_are_left_to_go_with_it() {
    for (said, expected) in [(&b"bye"[..], &[END, 3][..]), (b"", &[])] {
        run(async {
            let (near, mut far, notes) = pair(true, 100);
            let mut near = near.ending_with(|noted| noted.1.lock().unwrap().push(END));
            near.write_all(said).await.unwrap();
            near.shutdown().await.unwrap();
            let mut heard = Vec::new();
            far.read_to_end(&mut heard).await.unwrap();
            assert_eq!(heard, said);
            assert_eq!(*notes.lock().unwrap(), expected);
        });
    }
}

/// Among the lengths of writes.
const END: usize = usize::MAX;

#[test]
fn a_farewell_leaves_without_a_read() {
    run(async {
        let (mut near, mut far, _) = pair(true, 100);
        near.write_all(b"bye").await.unwrap();
        near.shutdown().await.unwrap();
        let mut heard = Vec::new();
        far.read_to_end(&mut heard).await.unwrap();
        assert_eq!(heard, b"bye");
    });
}

#[test]
fn last_words_leave_although_nobody_reads_or_takes_leave() {
    run(async {
        let (mut near, mut far, _) = pair(true, 100);
        near.write_all(b"what we would have agreed on").await.unwrap();
        drop(near);
        let mut heard = Vec::new();
        far.read_to_end(&mut heard).await.unwrap();
        assert_eq!(heard, b"what we would have agreed on");
    });
}

#[test]
fn a_peer_that_takes_little_at_a_time_gets_everything() {
    run(async {
        let (mut near, mut far, _) = pair(true, 10);
        let sent = vec![5; 3 * MAX_WAITING];
        let talk = async {
            near.write_all(&sent).await.unwrap();
            near.read_u8().await.unwrap();
        };
        let answer = async {
            let mut heard = vec![0; sent.len()];
            far.read_exact(&mut heard).await.unwrap();
            assert!(heard == sent);
            far.write_u8(0).await.unwrap();
        };
        tokio::join!(talk, answer);
    });
}

#[test]
fn what_has_come_in_one_packet_is_read_in_parts_of_any_size_and_keeps_no_memory() {
    run(async {
        let (mut near, mut far, _) = pair(true, 100_000);
        let sent: Vec<u8> = (0..20_000_u32).map(|number| number as u8).collect();
        far.write_all(&sent).await.unwrap();
        let mut heard = Vec::new();
        for size in [4, 1, 60, 3_000, 5, 2_047, 2_048, 2_049].into_iter().cycle() {
            let mut part = vec![0; size.min(sent.len() - heard.len())];
            near.read_exact(&mut part).await.unwrap();
            heard.extend(part);
            if heard.len() == sent.len() {
                break;
            }
        }
        assert!(heard == sent);
        assert_eq!(near.ahead.capacity(), 0);
        drop(far);
        assert_eq!(near.read(&mut [0; 4]).await.unwrap(), 0);
    });
}
