use std::{
    future::poll_fn,
    sync::{Arc, Mutex},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex},
    sync::mpsc,
};

use super::*;

/// Records the length of each write.
struct RecordingStream(DuplexStream, Arc<Mutex<Vec<usize>>>);

impl AsyncRead for RecordingStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, into)
    }
}

impl AsyncWrite for RecordingStream {
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

fn pair(
    enabled: bool,
    room: usize,
) -> (CoalescingStream<RecordingStream>, DuplexStream, Arc<Mutex<Vec<usize>>>) {
    let (near, far) = duplex(room);
    let write_sizes = Arc::default();
    (CoalescingStream::new(RecordingStream(near, Arc::clone(&write_sizes)), enabled), far, write_sizes)
}

#[test]
fn writes_are_sent_together_at_the_next_read_if_coalescing_is_enabled() {
    for (enabled, expected) in [(true, vec![6]), (false, vec![1, 2, 3])] {
        run(async {
            let (mut near, mut far, write_sizes) = pair(enabled, 100);
            let sending = async {
                for part in [&b"a"[..], b"bb", b"ccc"] {
                    near.write_all(part).await.unwrap();
                    near.flush().await.unwrap();
                }
                near.read_u8().await.unwrap()
            };
            let receiving = async {
                let mut received = [0; 6];
                far.read_exact(&mut received).await.unwrap();
                assert_eq!(&received, b"abbccc");
                far.write_u8(7).await.unwrap();
            };
            assert_eq!(tokio::join!(sending, receiving).0, 7);
            assert_eq!(*write_sizes.lock().unwrap(), expected);
        });
    }
}

#[test]
fn pending_octets_and_write_of_another_ready_future_are_sent_together() {
    run(async {
        let (mut near, mut far, write_sizes) = pair(true, 100);
        let (sender, mut orders) = mpsc::channel(1);
        let sending = async {
            near.write_all(b"new keys").await.unwrap();
            loop {
                tokio::select! {
                    // Read available data first, then handle the write request that woke this task.
                    biased;
                    received = near.read_u8() => return received.unwrap(),
                    Some(order) = orders.recv() => near.write_all(order).await.unwrap(),
                }
            }
        };
        let other = async {
            sender.send(b"request").await.unwrap();
            let mut received = [0; 15];
            far.read_exact(&mut received).await.unwrap();
            far.write_u8(7).await.unwrap();
        };
        assert_eq!(tokio::join!(sending, other).0, 7);
        assert_eq!(*write_sizes.lock().unwrap(), [15]);
    });
}

#[test]
fn shutdown_runs_final_write_hook_only_if_octets_are_pending() {
    for (written, expected) in [(&b"bye"[..], &[END, 3][..]), (b"", &[])] {
        run(async {
            let (near, mut far, write_sizes) = pair(true, 100);
            let mut near = near.with_final_write_hook(|stream| stream.1.lock().unwrap().push(END));
            near.write_all(written).await.unwrap();
            near.shutdown().await.unwrap();
            let mut received = Vec::new();
            far.read_to_end(&mut received).await.unwrap();
            assert_eq!(received, written);
            assert_eq!(*write_sizes.lock().unwrap(), expected);
        });
    }
}

/// Marks the call of the hook in the list of write lengths.
const END: usize = usize::MAX;

#[test]
fn pending_octets_are_sent_on_shutdown_without_a_read() {
    run(async {
        let (mut near, mut far, _) = pair(true, 100);
        near.write_all(b"bye").await.unwrap();
        near.shutdown().await.unwrap();
        let mut received = Vec::new();
        far.read_to_end(&mut received).await.unwrap();
        assert_eq!(received, b"bye");
    });
}

#[test]
fn pending_octets_are_sent_when_the_stream_is_dropped() {
    run(async {
        let (mut near, mut far, _) = pair(true, 100);
        near.write_all(b"our algorithms").await.unwrap();
        drop(near);
        let mut received = Vec::new();
        far.read_to_end(&mut received).await.unwrap();
        assert_eq!(received, b"our algorithms");
    });
}

#[test]
fn peer_that_reads_slowly_receives_all_octets() {
    run(async {
        let (mut near, mut far, _) = pair(true, 10);
        let sent = vec![5; 3 * MAX_PENDING];
        let sending = async {
            near.write_all(&sent).await.unwrap();
            near.read_u8().await.unwrap();
        };
        let receiving = async {
            let mut received = vec![0; sent.len()];
            far.read_exact(&mut received).await.unwrap();
            assert!(received == sent);
            far.write_u8(0).await.unwrap();
        };
        tokio::join!(sending, receiving);
    });
}

#[test]
fn read_ahead_buffer_serves_reads_of_any_size_and_then_keeps_little_memory() {
    run(async {
        let (mut near, mut far, _) = pair(true, 100_000);
        let sent: Vec<u8> = (0..20_000_u32).map(|number| number as u8).collect();
        far.write_all(&sent).await.unwrap();
        let mut received = Vec::new();
        for size in [4, 1, 60, 3_000, 5, 2_047, 2_048, 2_049].into_iter().cycle() {
            let mut part = vec![0; size.min(sent.len() - received.len())];
            near.read_exact(&mut part).await.unwrap();
            received.extend(part);
            if received.len() == sent.len() {
                break;
            }
        }
        assert!(received == sent);
        assert!(near.read_ahead.is_empty() && near.read_ahead.capacity() <= IDLE_CAPACITY);
        drop(far);
        assert_eq!(near.read(&mut [0; 4]).await.unwrap(), 0);
    });
}

#[test]
fn task_reads_a_limited_number_of_packets_before_other_tasks_run() {
    run(async {
        let (mut near, mut far, _) = pair(true, 1_000_000);
        far.write_all(&vec![7; 100_000]).await.unwrap();
        let mut turns = Vec::new();
        while turns.iter().sum::<usize>() < 100_000 {
            let count = poll_fn(|context| {
                let mut count = 0;
                let mut packet = [0; 16];
                while Pin::new(&mut near).poll_read(context, &mut ReadBuf::new(&mut packet)).is_ready() {
                    count += packet.len();
                }
                Poll::Ready(count)
            });
            turns.push(count.await);
            tokio::task::yield_now().await;
        }
        assert!(turns.iter().all(|octets| *octets <= 16 * usize::from(MAX_READS)), "{turns:?}");
    });
}
