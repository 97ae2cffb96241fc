//! An SNMPv1 and SNMPv2c agent in a thread of the test, whose responses the test defines.

use std::{
    net::UdpSocket,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use portreeve_smi::{
    MessageProcessingModel, OwnedValue, Value,
    ber::{ForwardWriter, ReverseWriter},
};
use portreeve_snmp_message::{
    CommunityMessage, Pdu, PduType, Version, peek_version, prepend_community_message, prepend_pdu,
};

pub struct FakeAgent {
    pub address: String,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// A request that the agent has received and parsed.
pub struct FakeRequest {
    pub version: MessageProcessingModel,
    pub community: String,
    pub pdu_type: PduType,
    pub request_id: i32,
    /// error-status and error-index of the request; for GETBULK, non-repeaters and max-repetitions.
    pub parameters: (i32, i32),
    pub names: Vec<Vec<u32>>,
}

/// A response of the agent.
#[derive(Clone)]
pub struct FakeResponse {
    pub request_id: i32,
    pub community: String,
    pub error: (i32, i32),
    pub binds: Vec<(Vec<u32>, OwnedValue)>,
}

impl FakeRequest {
    /// Creates a response with these variable bindings.
    pub fn response(&self, binds: Vec<(Vec<u32>, OwnedValue)>) -> FakeResponse {
        FakeResponse { request_id: self.request_id, community: self.community.clone(), error: (0, 0), binds }
    }

    /// Creates an error response with the names of the request.
    pub fn reject(&self, status: i32, index: i32) -> FakeResponse {
        let binds = self.names.iter().map(|name| (name.clone(), OwnedValue::Null)).collect();
        FakeResponse { error: (status, index), ..self.response(binds) }
    }
}

impl FakeAgent {
    /// Starts an agent that replies to each request with the responses that `responses` returns.
    pub fn start(responses: impl Fn(&FakeRequest) -> Vec<FakeResponse> + Send + 'static) -> Self {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        socket.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
        let address = socket.local_addr().unwrap().to_string();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = thread::spawn(move || {
            let mut buffer = [0; 65536];
            while !stopped.load(Ordering::Relaxed) {
                let Ok((length, from)) = socket.recv_from(&mut buffer) else { continue };
                // The agent does not support SNMPv3, so it does not reply.
                if let Ok(Version::Known(MessageProcessingModel::V3)) = peek_version(&buffer[..length]) {
                    continue;
                }
                let request = read(&buffer[..length]);
                for response in responses(&request) {
                    socket.send_to(&write(request.version, &response), from).unwrap();
                }
            }
        });
        Self { address, stop, thread: Some(thread) }
    }

    /// Starts a correct agent with these variables, which must be sorted, for the community
    /// `public`.
    pub fn with(variables: &[(&[u32], OwnedValue)]) -> Self {
        Self::of(variables.iter().map(|(name, value)| (name.to_vec(), value.clone())).collect())
    }

    /// Starts a correct agent with these variables in any order, for the community `public`.
    pub fn of(mut variables: Vec<(Vec<u32>, OwnedValue)>) -> Self {
        variables.sort_by(|one, other| one.0.cmp(&other.0));
        Self::start(move |request| match request.community.as_str() {
            "public" => vec![honest_response(&variables, request)],
            _ => Vec::new(),
        })
    }
}

impl Drop for FakeAgent {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

/// Returns the response of a correct agent that has these variables.
pub fn honest_response(variables: &[(Vec<u32>, OwnedValue)], request: &FakeRequest) -> FakeResponse {
    let v1 = request.version == MessageProcessingModel::V1;
    let next = |name: &[u32]| variables.iter().find(|(candidate, _)| candidate.as_slice() > name).cloned();
    let mut binds = Vec::new();
    let repetitions = match request.pdu_type {
        PduType::GetBulkRequest => request.parameters.1,
        _ => 1,
    };
    let mut names = request.names.clone();
    for _ in 0..repetitions {
        for (index, name) in names.iter_mut().enumerate() {
            let found = match request.pdu_type {
                PduType::GetRequest => variables.iter().find(|(candidate, _)| candidate == name).cloned(),
                _ => next(name),
            };
            match found {
                Some(found) => {
                    name.clone_from(&found.0);
                    binds.push(found);
                }
                None if v1 => return request.reject(2, index as i32 + 1),
                None if request.pdu_type == PduType::GetRequest => {
                    binds.push((name.clone(), OwnedValue::NoSuchObject));
                }
                None => binds.push((name.clone(), OwnedValue::EndOfMibView)),
            }
        }
    }
    request.response(binds)
}

/// Parses a request.
pub fn read(message: &[u8]) -> FakeRequest {
    let Ok(Version::Known(version)) = peek_version(message) else { panic!("malformed message") };
    let mut message = CommunityMessage::parse(message).unwrap();
    let pdu = Pdu::parse(&mut message.pdu).unwrap();
    FakeRequest {
        version,
        community: String::from_utf8(message.community.to_vec()).unwrap(),
        pdu_type: pdu.pdu_type,
        request_id: pdu.request_id,
        parameters: (pdu.error_status, pdu.error_index),
        names: pdu.var_binds.iter().map(|bind| bind.name.to_buf().to_vec()).collect(),
    }
}

/// Encodes a response.
pub fn write(version: MessageProcessingModel, response: &FakeResponse) -> Vec<u8> {
    let mut list = vec![0; 60_000];
    let mut forward = ForwardWriter::new(&mut list);
    for (name, value) in &response.binds {
        let value: Value<'_> = value.as_value();
        forward.var_bind(name, &value).unwrap();
    }
    let mut buffer = vec![0; 61_000];
    let mut writer = ReverseWriter::new(&mut buffer);
    writer.raw(forward.written()).unwrap();
    prepend_pdu(&mut writer, PduType::Response, response.request_id, response.error.0, response.error.1)
        .unwrap();
    prepend_community_message(&mut writer, version, response.community.as_bytes()).unwrap();
    writer.written().to_vec()
}
