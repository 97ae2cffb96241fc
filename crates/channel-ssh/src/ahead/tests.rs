use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};

use super::*;

/// Counts how often it is read from.
struct Counted(DuplexStream, usize);

impl AsyncRead for Counted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.1 += 1;
        Pin::new(&mut self.0).poll_read(context, into)
    }
}

fn run(test: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(test);
}

#[test]
fn what_came_together_is_read_once_and_keeps_nothing_when_it_is_taken() {
    run(async {
        let (near, mut far) = duplex(100);
        let mut near = Ahead::new(Counted(near, 0));
        far.write_all(b"\0\0\0\x04body").await.unwrap();
        let (mut length, mut body) = ([0; 4], [0; 4]);
        near.read_exact(&mut length).await.unwrap();
        near.read_exact(&mut body).await.unwrap();
        assert_eq!((length, &body), ([0, 0, 0, 4], b"body"));
        assert_eq!(near.stream.1, 1);
        assert_eq!(near.waiting.capacity(), 0);
    });
}

#[test]
fn octets_come_in_order_however_they_are_cut_and_then_the_end() {
    run(async {
        let sent: Vec<u8> = (0..20_000_u32).map(|number| (number % 251) as u8).collect();
        for at_once in [1, 3, 500, AT_ONCE - 1, AT_ONCE, AT_ONCE + 1, 9000] {
            let (near, mut far) = duplex(5000);
            let mut near = Ahead::new(near);
            let sending = sent.clone();
            let send = async move {
                for part in sending.chunks(777) {
                    far.write_all(part).await.unwrap();
                }
            };
            let receive = async {
                let mut received = Vec::new();
                let mut piece = vec![0; at_once];
                loop {
                    match near.read(&mut piece).await.unwrap() {
                        0 => break,
                        count => received.extend_from_slice(&piece[..count]),
                    }
                }
                assert!(received == sent, "pieces of {at_once}");
            };
            tokio::join!(send, receive);
        }
    });
}

#[test]
fn a_stream_over_another_one_reads_ahead_too() {
    run(async {
        let (near, mut far) = duplex(100);
        let mut near = Ahead::new(Ahead::new(near));
        far.write_all(b"one and two").await.unwrap();
        let (mut one, mut rest) = ([0; 3], [0; 8]);
        near.read_exact(&mut one).await.unwrap();
        near.read_exact(&mut rest).await.unwrap();
        assert_eq!((&one, &rest), (b"one", b" and two"));
    });
}
