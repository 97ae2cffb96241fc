use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::task::Wake;

use super::{
    input::MAX_INPUT,
    output::{MAX_OUTPUT, MAX_PART, MIN_PACKET},
    *,
};

fn buffers() -> Arc<ChannelBuffers> {
    Arc::default()
}

fn read(buffers: &ChannelBuffers) -> Result<Vec<u8>, io::ErrorKind> {
    let mut into = [0; 4];
    buffers.try_read(&mut into).map(|count| into[..count].to_vec()).map_err(|error| error.kind())
}

/// Passes a part to russh, which keeps it until it is dropped.
fn next_part(buffers: &Arc<ChannelBuffers>) -> Option<Bytes> {
    let mut parts = Vec::new();
    let send = |part| {
        parts.push(part);
        Ok::<_, ()>(())
    };
    buffers.send_output(send).unwrap();
    assert!(parts.len() <= 1);
    parts.pop()
}

/// Receives a request, which the session reads.
fn start_answer_turn(buffers: &ChannelBuffers) {
    assert!(buffers.push(b"1", true).unwrap());
    assert_eq!(read(buffers), Ok(b"1".to_vec()));
}

/// A session that counts how often it is woken.
#[derive(Default)]
struct Session(AtomicUsize);

impl Wake for Session {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Relaxed);
    }
}

impl Session {
    fn is_ready(self: &Arc<Self>, buffers: &ChannelBuffers, direction: Direction) -> bool {
        buffers.poll_ready(direction, &Context::from_waker(&Arc::clone(self).into())).is_ready()
    }

    fn take_wakeups(&self) -> usize {
        self.0.swap(0, Relaxed)
    }
}

#[test]
fn channel_input_is_read_completely_before_its_end() {
    let buffers = buffers();
    assert_eq!(read(&buffers), Err(io::ErrorKind::WouldBlock));
    buffers.push(b"abcdef", false).unwrap();
    buffers.set_eof();
    assert_eq!(read(&buffers), Ok(b"abcd".to_vec()));
    assert_eq!(read(&buffers), Ok(b"ef".to_vec()));
    assert_eq!(read(&buffers), Ok(Vec::new()));
    buffers.close();
    assert_eq!(read(&buffers), Err(io::ErrorKind::UnexpectedEof));
}

#[test]
fn channel_input_of_a_peer_that_ignores_its_window_is_bounded() {
    let buffers = buffers();
    let packet = vec![0; 32 * 1024];
    assert!(!buffers.is_input_congested());
    let accepted = (0..100).take_while(|_| buffers.push(&packet, false).is_ok()).count();
    assert_eq!(accepted * packet.len(), MAX_INPUT);
    assert!(buffers.is_input_congested());
    assert!(buffers.state().input.octets.capacity() <= MAX_INPUT);
    buffers.set_dropped();
    assert!(!buffers.push(&packet, false).unwrap(), "octets for a dropped channel are discarded");
    assert_eq!(buffers.state().input.octets.capacity(), 0);
}

#[test]
fn waiting_connection_is_woken_when_the_session_has_read_or_ended() {
    let ends: [fn(&ChannelBuffers); 3] = [
        |buffers| assert_eq!(buffers.try_read(&mut [0; 1]).unwrap(), 1),
        |buffers| buffers.close(),
        |buffers| buffers.set_dropped(),
    ];
    for end in ends {
        let (buffers, connection) = (buffers(), Arc::new(Session::default()));
        let is_ready =
            || buffers.poll_uncongested(&Context::from_waker(&Arc::clone(&connection).into())).is_ready();
        assert!(is_ready());
        buffers.push(&vec![0; CONGESTION_THRESHOLD + 2], false).unwrap();
        assert!(!is_ready());
        buffers.try_read(&mut [0; 1]).unwrap();
        assert!(!is_ready());
        assert_eq!(connection.take_wakeups(), 0);
        end(&buffers);
        assert!(is_ready());
        assert_eq!(connection.take_wakeups(), 1);
    }
}

/// A read rarely ends at the last octet if the peer sends without end.
#[test]
fn channel_input_that_is_never_read_completely_uses_bounded_memory() {
    let buffers = buffers();
    let (packet, mut into) = (vec![0; 32 * 1024], vec![0; 32 * 1024]);
    buffers.push(&packet, false).unwrap();
    for _ in 0..1000 {
        buffers.push(&packet, false).unwrap();
        assert_eq!(buffers.try_read(&mut into).unwrap(), packet.len());
        let input = &buffers.state().input;
        assert_eq!(input.octets.len(), packet.len());
        assert!(input.octets.capacity() <= 2 * packet.len(), "{}", input.octets.capacity());
    }
}

/// The peer sends while the session reads, until the peer has filled the buffer.
#[test]
fn channel_input_uses_no_memory_for_octets_already_read() {
    let buffers = buffers();
    let (packet, mut into) = (vec![7; 10_000], vec![0; 9_000]);
    while buffers.push(&packet, false).is_ok() {
        assert!(buffers.try_read(&mut into).unwrap() > 0);
        let capacity = buffers.state().input.octets.capacity();
        assert!(capacity <= MAX_INPUT, "{capacity}");
    }
    let unread = buffers.state().input.octets.len();
    assert!(unread > MAX_INPUT - packet.len());
    let read = std::iter::from_fn(|| buffers.try_read(&mut into).ok()).sum::<usize>();
    assert_eq!(read, unread);
}

/// russh's writer, which accepts a number of octets.
#[derive(Default)]
struct TestWriter {
    room: usize,
    written: Vec<u8>,
}

impl AsyncWrite for TestWriter {
    fn poll_write(mut self: Pin<&mut Self>, _: &mut Context<'_>, octets: &[u8]) -> Poll<io::Result<usize>> {
        assert!(octets.len() <= MAX_PART);
        let count = octets.len().min(self.room);
        self.room -= count;
        self.written.extend(&octets[..count]);
        if count == 0 { Poll::Pending } else { Poll::Ready(Ok(count)) }
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

impl TestWriter {
    /// Returns what must be put into the queue next.
    fn next(&mut self, buffers: &Arc<ChannelBuffers>) -> Option<Bytes> {
        let writer: Pin<&mut Self> = Pin::new(self);
        buffers.next_for_queue(writer, &mut Context::from_waker(Waker::noop()))
    }

    fn take_written(&mut self) -> Vec<u8> {
        mem::take(&mut self.written)
    }
}

#[test]
fn channel_output_is_bounded_while_the_window_is_empty() {
    for window in [None, Some(0)] {
        for len in [100, 5_000, 40_000, 65_535, 3_000_000] {
            let (buffers, mut writer) = (buffers(), TestWriter::default());
            window.inspect(|octets| buffers.set_window(*octets));
            let answer = vec![7; len];
            let mut accepted = 0;
            while let Ok(count) = buffers.try_write(&answer) {
                accepted += count;
            }
            assert_eq!(accepted, MAX_OUTPUT);
            let capacity = buffers.state().output.octets.capacity();
            assert!(capacity <= MAX_OUTPUT, "{capacity}");
            assert!(writer.next(&buffers).is_none());
            assert!(next_part(&buffers).is_none());
            assert!(buffers.is_output_blocked());
            assert!(buffers.try_write(b"more").is_err());
        }
    }
}

#[test]
fn all_output_goes_through_the_writer_until_the_window_is_known() {
    let (buffers, mut writer) = (buffers(), TestWriter { room: 5, ..TestWriter::default() });
    start_answer_turn(&buffers);
    buffers.try_write(b"abcdefgh").unwrap();
    let marker = writer.next(&buffers).unwrap();
    assert_eq!((writer.take_written(), marker.len()), (b"abcde".to_vec(), 0));
    assert!(buffers.is_output_blocked() && buffers.take_progress());
    assert!(next_part(&buffers).is_none());
    drop(marker);
    assert!(writer.next(&buffers).is_none());
    assert!(!buffers.take_progress());
    writer.room = 3;
    let marker = writer.next(&buffers).unwrap();
    assert_eq!(writer.take_written(), b"fgh");
    assert!(!buffers.is_output_blocked() && !buffers.has_output());
    // Whether this window contains the octets in flight is not known.
    buffers.set_window(10);
    drop(marker);
    buffers.try_write(b"i").unwrap();
    assert!(next_part(&buffers).is_none());
    writer.room = 1;
    drop(writer.next(&buffers).unwrap());
    assert_eq!(writer.take_written(), b"i");
    buffers.set_window(10);
    buffers.try_write(b"j").unwrap();
    assert_eq!(next_part(&buffers).unwrap(), b"j"[..]);
    buffers.try_write(b"k").unwrap();
    assert_eq!(writer.next(&buffers).unwrap(), b"k"[..]);
    assert!(writer.written.is_empty());
}

/// A peer may extend its window by nothing. The writer must then wait for the next extension.
#[test]
fn writer_that_has_octets_is_used_until_it_accepts_them() {
    let (buffers, mut writer) = (buffers(), TestWriter::default());
    buffers.try_write(b"abc").unwrap();
    assert!(writer.next(&buffers).is_none());
    buffers.set_window(0);
    assert!(writer.next(&buffers).is_none());
    writer.room = 100;
    drop(writer.next(&buffers).unwrap());
    assert_eq!(writer.take_written(), b"abc");
}

#[test]
fn peer_with_very_short_packets_receives_all_output_through_the_writer() {
    for (packet_size, is_bypassed) in [(MIN_PACKET - 1, false), (MIN_PACKET, true)] {
        let buffers: Arc<_> = ChannelBuffers::new(packet_size).into();
        buffers.set_window(100);
        start_answer_turn(&buffers);
        buffers.try_write(b"answer").unwrap();
        assert_eq!(next_part(&buffers).is_some(), is_bypassed);
    }
}

#[test]
fn no_more_octets_are_passed_to_russh_than_a_known_window_allows() {
    let (buffers, mut writer) = (buffers(), TestWriter { room: 100, ..TestWriter::default() });
    buffers.set_window(5);
    buffers.try_write(b"abcdefghijk").unwrap();
    assert_eq!(next_part(&buffers).unwrap(), b"abcde"[..]);
    assert!(next_part(&buffers).is_none());
    assert!(writer.next(&buffers).is_none());
    assert!(buffers.is_output_blocked());
    buffers.set_window(2);
    let late = writer.next(&buffers).unwrap();
    assert_eq!(late, b"fg"[..]);
    // russh subtracts the octets in flight when it sends them.
    buffers.set_window(5);
    assert!(next_part(&buffers).is_none(), "octets overtake others");
    drop(late);
    assert_eq!(next_part(&buffers).unwrap(), b"hij"[..]);
    assert!(next_part(&buffers).is_none() && writer.next(&buffers).is_none());
    buffers.set_window(1);
    assert_eq!(next_part(&buffers).unwrap(), b"k"[..]);
    assert!(!buffers.is_output_blocked());
}

/// Otherwise, octets could overtake others.
#[test]
fn octets_go_through_the_queue_while_russh_has_others() {
    let (buffers, mut writer) = (buffers(), TestWriter::default());
    buffers.set_window(100);
    buffers.try_write(b"late").unwrap();
    let late = writer.next(&buffers).unwrap();
    assert_eq!(late, b"late"[..]);
    start_answer_turn(&buffers);
    buffers.try_write(b"answer").unwrap();
    assert!(next_part(&buffers).is_none());
    assert_eq!(writer.next(&buffers).unwrap(), b"answer"[..]);
    drop(late);
    // russh keeps a part during a key exchange.
    start_answer_turn(&buffers);
    buffers.try_write(b"first").unwrap();
    let first = next_part(&buffers).unwrap();
    buffers.try_write(b"second").unwrap();
    assert!(next_part(&buffers).is_none());
    let second = writer.next(&buffers).unwrap();
    assert_eq!((&first[..], &second[..]), (&b"first"[..], &b"second"[..]));
}

/// russh drops a part when it has sent it.
#[test]
fn long_answer_is_passed_to_russh_in_parts() {
    let (buffers, mut lengths) = (buffers(), Vec::new());
    buffers.set_window(u32::MAX);
    start_answer_turn(&buffers);
    buffers.try_write(&[7; MAX_OUTPUT]).unwrap();
    let send = |part: Bytes| {
        lengths.push(part.len());
        Ok::<_, ()>(())
    };
    buffers.send_output(send).unwrap();
    assert_eq!(lengths, [MAX_PART, MAX_PART]);
    assert!(!buffers.has_output() && !buffers.is_output_blocked());
}

#[test]
fn session_passes_the_rest_of_an_answer_to_the_queue() {
    let (buffers, mut writer) = (buffers(), TestWriter::default());
    let session = Arc::new(Session::default());
    buffers.set_window(u32::MAX);
    start_answer_turn(&buffers);
    buffers.try_write(&[7; MAX_OUTPUT]).unwrap();
    assert!(writer.next(&buffers).is_none());
    assert!(!session.is_ready(&buffers, Direction::Read));
    let first = next_part(&buffers).unwrap();
    assert_eq!(first.len(), MAX_PART);
    assert_eq!(session.take_wakeups(), 1);
    assert_eq!(writer.next(&buffers).unwrap().len(), MAX_OUTPUT - MAX_PART);
}

#[test]
fn session_is_woken_when_its_channel_is_ready() {
    let (buffers, session) = (buffers(), Arc::new(Session::default()));
    let ready = |direction| session.is_ready(&buffers, direction);
    assert!(ready(Direction::Write));
    assert!(!ready(Direction::Read));
    buffers.push(b"request", false).unwrap();
    assert_eq!(session.take_wakeups(), 1);
    assert!(ready(Direction::Read));
    read(&buffers).unwrap();
    read(&buffers).unwrap();
    // An answer that is sent at once.
    buffers.set_window(100);
    start_answer_turn(&buffers);
    buffers.try_write(b"answer").unwrap();
    assert!(!ready(Direction::Read));
    assert_eq!(next_part(&buffers).unwrap(), b"answer"[..]);
    assert_eq!(session.take_wakeups(), 0, "the session waits for requests");
    // An answer that has to wait.
    buffers.set_window(3);
    start_answer_turn(&buffers);
    assert_eq!(session.take_wakeups(), 1);
    assert!(!ready(Direction::Read));
    buffers.try_write(b"answer").unwrap();
    assert_eq!(next_part(&buffers).unwrap(), b"ans"[..]);
    assert_eq!(session.take_wakeups(), 1);
    assert!(ready(Direction::Read), "the session learns that the channel is blocked");
    assert!(buffers.take_progress());
    assert!(!ready(Direction::Write));
    buffers.set_window(100);
    assert_eq!(next_part(&buffers).unwrap(), b"wer"[..]);
    assert_eq!(session.take_wakeups(), 1);
    assert!(ready(Direction::Write));
    assert!(!ready(Direction::Read));
    buffers.close();
    assert_eq!(session.take_wakeups(), 1);
    assert!(ready(Direction::Read) && ready(Direction::Write));
}

#[test]
fn memory_of_a_short_answer_is_used_again() {
    let buffers = buffers();
    buffers.set_window(u32::MAX);
    let addresses = [(); 2].map(|()| {
        buffers.try_write(&[7; 100]).unwrap();
        next_part(&buffers).unwrap().as_ptr()
    });
    assert_eq!(addresses[0], addresses[1]);
    buffers.try_write(&[7; 1000]).unwrap();
    drop(next_part(&buffers));
    assert_eq!(buffers.state().output.octets.capacity(), 0);
}
