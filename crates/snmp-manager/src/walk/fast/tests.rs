//! Fast walks of fake agents of various shapes, which respond in any order.

use portreeve_smi::ber::Reader;
use portreeve_snmp_message::VarBind as Bind;

use super::{
    super::tests::{ROOT, response},
    *,
};
use crate::error::RequestError::Timeout;

type Successor<'a> = dyn Fn(&[u32]) -> Option<Vec<u32>> + 'a;
type Outcome = (u64, Result<WalkEnd, WalkError>);

/// An agent defined by its successor function, which returns `None` at the end of the MIB.
pub(in crate::walk) struct FakeAgent<'a> {
    successor: Box<Successor<'a>>,
    /// The maximum number of variables in a response; the others are truncated.
    room: usize,
    /// Requests for at least this number of variables get tooBig.
    too_big: usize,
    /// Requests for at least this number of variables get no response.
    silent: usize,
    v1: bool,
    /// The random state that selects the next request to answer.
    random_state: u64,
    pub(in crate::walk) requests: usize,
    visited: Vec<Vec<u32>>,
}

impl<'a> FakeAgent<'a> {
    pub(in crate::walk) fn from_successor(successor: impl Fn(&[u32]) -> Option<Vec<u32>> + 'a) -> Self {
        Self {
            successor: Box::new(successor),
            room: 1000,
            too_big: 1000,
            silent: 1000,
            v1: false,
            random_state: 1,
            requests: 0,
            visited: Vec::new(),
        }
    }

    fn with(names: &'a [Vec<u32>]) -> Self {
        Self::from_successor(|name| {
            names.get(names.partition_point(|known| known.as_slice() <= name)).cloned()
        })
    }

    pub(in crate::walk) fn walk(&mut self, mut walk: FastWalk) -> Outcome {
        if self.v1 {
            walk.disable_bulk();
        }
        let (mut request, mut in_flight) = (Request::new(Operation::Get), Vec::new());
        loop {
            while let Some(request_id) = walk.next_request(&mut request) {
                self.requests += 1;
                in_flight.push((request_id, self.response(&request)));
            }
            self.random_state = self.random_state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            assert!(!in_flight.is_empty(), "the walk is not complete, but no request is in flight");
            assert!(walk.spans.iter().map(Span::octets).sum::<usize>() <= MAX_BUFFERED + 8 * 60_000);
            let next = (self.random_state >> 33) as usize % in_flight.len();
            let (request_id, response) = in_flight.swap_remove(next);
            let visited = &mut self.visited;
            let progress =
                walk.accept(request_id, &response, |bind| visited.push(bind.name.to_buf().to_vec()));
            match progress {
                Ok(WalkProgress::More) => {}
                Ok(WalkProgress::Done(end)) => return (self.visited.len() as u64, Ok(end)),
                Err(error) => return (self.visited.len() as u64, Err(error)),
            }
        }
    }

    fn response(&self, request: &Request) -> Result<Response, RequestError> {
        let mut reader = Reader::new(request.var_binds());
        let mut names = Vec::new();
        while let Ok(bind) = Bind::parse(&mut reader) {
            names.push(bind.name.to_buf().to_vec());
        }
        let repetitions = match request.operation() {
            Operation::GetBulk { max_repetitions, .. } => max_repetitions as usize,
            _ => 1,
        };
        let requested = repetitions * names.len();
        if requested >= self.silent {
            return Err(Timeout(None));
        }
        if requested >= self.too_big {
            return Ok(response(1, &[]));
        }
        let mut binds = Vec::new();
        for _ in 0..repetitions {
            for (index, name) in names.iter_mut().enumerate() {
                match (self.successor)(name) {
                    Some(next) => {
                        name.clone_from(&next);
                        binds.push((next, Value::Integer(1)));
                    }
                    None if self.v1 => return Ok(rejection(2, index + 1, &names)),
                    None => binds.push((name.clone(), Value::EndOfMibView)),
                }
            }
        }
        if repetitions > 1 || names.len() > 1 && request.operation() != Operation::GetNext {
            binds.truncate(self.room);
        }
        let binds: Vec<(&[u32], Value<'_>)> =
            binds.iter().map(|(name, value)| (name.as_slice(), *value)).collect();
        Ok(response(0, &binds))
    }
}

fn rejection(status: i32, index: usize, names: &[Vec<u32>]) -> Response {
    use portreeve_smi::ber::{ForwardWriter, ReverseWriter};
    use portreeve_snmp_message::{Pdu, PduType, prepend_pdu};
    let (mut list, mut buffer) = (vec![0; 60_000], vec![0; 60_000]);
    let mut forward = ForwardWriter::new(&mut list);
    names.iter().for_each(|name| forward.var_bind(name, &Value::Null).unwrap());
    let mut writer = ReverseWriter::new(&mut buffer);
    writer.raw(forward.written()).unwrap();
    prepend_pdu(&mut writer, PduType::Response, 1, status, index as i32).unwrap();
    Response::from_pdu(&Pdu::parse(&mut Reader::new(writer.written())).unwrap(), Vec::new())
}

/// Returns the names `ENTRY.column.row` of all cells of a table.
fn table(columns: u32, rows: u32) -> Vec<Vec<u32>> {
    let cells = (1..=columns).flat_map(|column| (1..=rows).map(move |row| [2, 2, 1, column, row]));
    cells.map(|cell| [ROOT, &cell].concat()).collect()
}

#[test]
fn table_of_2354_variables_is_walked_in_at_most_48_requests() {
    let names = [table(22, 107), vec![vec![1, 3, 6, 1, 3, 1]]].concat();
    let mut agent = FakeAgent { room: 75, ..FakeAgent::with(&names) };
    let (visited, end) = agent.walk(FastWalk::new(ROOT, WalkOptions::default()));
    assert_eq!((visited, end), (2354, Ok(WalkEnd::LeftSubtree)));
    assert_eq!(agent.visited, names[..2354]);
    println!("2354 variables in {} requests", agent.requests);
    assert!(agent.requests <= 48, "{}", agent.requests);
}

#[test]
fn v1_walk_reads_several_columns_per_request() {
    let names = [table(22, 107), vec![vec![1, 3, 6, 1, 3, 1]]].concat();
    let mut agent = FakeAgent { v1: true, ..FakeAgent::with(&names) };
    let (visited, _) = agent.walk(FastWalk::new(ROOT, WalkOptions::default()));
    assert_eq!(visited, 2354);
    println!("2354 variables in {} GetNext requests", agent.requests);
    assert!(agent.requests < 1000, "{}", agent.requests);
}

#[test]
fn walk_continues_after_timeout_of_large_request_but_not_of_small_one() {
    let names = table(4, 200);
    let mut agent = FakeAgent { silent: 30, ..FakeAgent::with(&names) };
    assert_eq!(agent.walk(FastWalk::new(ROOT, WalkOptions::default())), (801, Ok(WalkEnd::EndOfMibView)));
    let mut agent = FakeAgent { silent: 10, ..FakeAgent::with(&names) };
    let (visited, end) = agent.walk(FastWalk::new(ROOT, WalkOptions::default()));
    assert_eq!((visited, end), (0, Err(WalkError::Request(Timeout(None)))));
}

#[test]
fn walk_of_agent_with_endless_columns_ends_at_variable_limit() {
    // Every column is endless. While the first one is read, variables of the others are buffered.
    let endless = |name: &[u32]| match name.strip_prefix(ROOT) {
        Some([1, column, row]) => Some([ROOT, &[1, *column, row + 1]].concat()),
        Some([1, column]) => Some([ROOT, &[1, *column, 1]].concat()),
        _ => Some([ROOT, &[1, 1, 1]].concat()),
    };
    let options = WalkOptions { max_variables: Some(100_000), ..WalkOptions::default() };
    let mut agent = FakeAgent::from_successor(endless);
    assert_eq!(agent.walk(FastWalk::new(ROOT, options)), (100_000, Err(WalkError::TooManyVariables)));
}

/// Returns the names of scalars, tables with missing cells, and irregular names, all derived from a
/// seed.
fn tree(seed: u64) -> Vec<Vec<u32>> {
    let mut state = seed;
    let mut below = move |bound: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32 % bound
    };
    let mut names = Vec::new();
    for group in 1..=1 + below(4) {
        match below(3) {
            0 => (1..=below(12)).for_each(|scalar| names.push([ROOT, &[group, scalar, 0]].concat())),
            1 => {
                let (columns, rows, holes, deep) = (1 + below(30), below(60), 1 + below(10), below(3));
                for column in 1..=columns {
                    for row in 1..=rows {
                        if holes == 1 || below(holes) > 0 {
                            let index = vec![row % 7 + 1; deep as usize];
                            names.push([ROOT, &[group, 1, 1, column], &index[..], &[row]].concat());
                        }
                    }
                }
            }
            _ => (0..below(80)).for_each(|_| {
                let arcs: Vec<u32> = (0..1 + below(6)).map(|_| below(3)).collect();
                names.push([ROOT, &[group], &arcs[..]].concat());
            }),
        }
    }
    if below(2) == 0 {
        names.push(vec![1, 3, 6, 1, 3, below(9)]);
    }
    names.sort();
    names.dedup();
    names
}

#[test]
fn every_variable_of_random_tree_is_visited_once_in_order() {
    for seed in 1..=1000 {
        let names = tree(seed);
        let inside: Vec<Vec<u32>> = names.iter().filter(|name| name.starts_with(ROOT)).cloned().collect();
        let mut agent = FakeAgent {
            room: 1 + (seed as usize * 7) % 120,
            too_big: if seed % 5 == 0 { 2 + seed as usize % 40 } else { 1000 },
            silent: if seed % 7 == 0 { 20 + seed as usize % 60 } else { 1000 },
            v1: seed % 11 == 0,
            random_state: seed,
            ..FakeAgent::with(&names)
        };
        let (_, end) = agent.walk(FastWalk::new(ROOT, WalkOptions::default()));
        let mut expected = inside.clone();
        let expected_end = match (names.len() > inside.len(), agent.v1) {
            (true, _) => WalkEnd::LeftSubtree,
            (false, true) => WalkEnd::NoSuchName,
            (false, false) => {
                expected.push(inside.last().cloned().unwrap_or(ROOT.to_vec()));
                WalkEnd::EndOfMibView
            }
        };
        assert_eq!(end, Ok(expected_end), "seed {seed}");
        assert!(agent.visited == expected, "seed {seed}");
    }
}
