//! Polls a thousand agents on loopback for fifty objects each, and says how many objects a second of CPU reads:
//! `cargo run --release -p portreeve-poll --example thousand`
//!
//! One thread plays all agents, one for each address of 127.0.0.0/8; only the poller's thread is measured.

#![allow(clippy::unwrap_used, reason = "an example ends where something is wrong")]

use std::{fmt::Write, fs, io, net::UdpSocket, os::fd::AsFd, thread};

use portreeve_message::{CommunityMessage, Pdu, PduType, prepend_community_message, prepend_pdu};
use portreeve_poll::{Form, driver};
use portreeve_smi::{
    MessageProcessingModel, Value,
    ber::{ForwardWriter, ReverseWriter},
};
use portreeve_sys::{Batch, enable_local_address};

fn main() {
    let socket = UdpSocket::bind("0.0.0.0:0").unwrap();
    let port = socket.local_addr().unwrap().port();
    enable_local_address(socket.as_fd(), socket.local_addr().unwrap()).unwrap();
    thread::spawn(move || play(&socket));
    let file = std::env::temp_dir().join(format!("thousand-{}.toml", std::process::id()));
    fs::write(&file, plan(port)).unwrap();
    let before = cpu_seconds();
    let polled = driver::run(&file, true, Form::Json, io::sink());
    let spent = cpu_seconds() - before;
    let _ = fs::remove_file(&file);
    polled.unwrap();
    let objects = f64::from(AGENTS * OBJECTS);
    println!("{objects} objects in {spent:.3} s of CPU: {:.0} objects a second", objects / spent);
}

fn plan(port: u16) -> String {
    let mut text =
        "[credentials.c]\nversion = \"2c\"\ncommunity = \"public\"\n[objects.o]\nget = [".to_owned();
    (1..=OBJECTS).for_each(|row| write!(text, "\"ifInOctets.{row}\", ").unwrap());
    text.push_str("]\n");
    for agent in 0..AGENTS {
        let (high, low) = (agent / 250, agent % 250 + 1);
        let lines =
            format!("address = \"127.1.{high}.{low}:{port}\"\ncredentials = \"c\"\nobjects = \"o\"\n");
        write!(text, "[targets.agent{agent}]\n{lines}").unwrap();
    }
    text
}

/// Answers every question, from the address it was asked at.
fn play(socket: &UdpSocket) {
    let mut batch = Batch::new(8192);
    let mut binds = vec![0; 4096];
    loop {
        let Ok(count) = batch.receive(socket.as_fd()) else {
            // Waits until something is there.
            let _ = socket.peek_from(&mut [0]);
            continue;
        };
        for slot in 0..count {
            let received = batch.slot(slot).unwrap();
            let mut message = CommunityMessage::parse(received.message).unwrap();
            let pdu = Pdu::parse(&mut message.pdu).unwrap();
            let mut forward = ForwardWriter::new(&mut binds);
            for (index, bind) in pdu.var_binds.iter().enumerate() {
                let value = if index == 0 { Value::TimeTicks(100) } else { Value::Counter32(1 << 30) };
                forward.var_bind(&bind.name.to_buf(), &value).unwrap();
            }
            let mut writer = ReverseWriter::new(received.answer);
            writer.raw(forward.written()).unwrap();
            prepend_pdu(&mut writer, PduType::Response, pdu.request_id, 0, 0).unwrap();
            let version = MessageProcessingModel::V2c;
            prepend_community_message(&mut writer, version, message.community).unwrap();
            let range = writer.range();
            batch.answer(slot, range);
        }
        let _ = batch.flush(socket.as_fd());
    }
}

/// What this thread has spent so far.
fn cpu_seconds() -> f64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9
}

const AGENTS: u32 = 1000;
const OBJECTS: u32 = 50;
