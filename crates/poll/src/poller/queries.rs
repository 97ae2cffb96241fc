//! What one message asks for: some of a target's objects, and with them when the agent last restarted.

use std::{collections::HashSet, hash::Hash, sync::Arc};

use portreeve_mib::format::{NameForm, OutputFormat};
use portreeve_smi::{Oid, Value};
use portreeve_snmp_manager::{Operation, Request};

use super::change::History;

/// One request, sent in every round, and what it was answered last.
pub(super) struct PollQuery {
    spec: Arc<QuerySpec>,
    pub(super) history: History,
}

/// What is asked, the same for all peers that are asked for the same: then it stays in the processor's cache.
struct QuerySpec {
    objects: Vec<Oid>,
    includes_boots: bool,
    names: Vec<String>,
    request: Request,
}

/// Wordings that are in use.
#[derive(Default)]
pub(super) struct QuerySpecs(HashSet<SpecByContent>);

impl PollQuery {
    /// Asks for `objects`, and for no more than when the agent has restarted where there are none.
    pub(super) fn new(objects: &[Oid], includes_boots: bool) -> Self {
        Self { spec: Arc::new(QuerySpec::new(objects, includes_boots)), history: History::default() }
    }

    pub(super) fn request(&self) -> &Request {
        &self.spec.request
    }

    /// What the objects are called in results.
    pub(super) fn names(&self) -> &[String] {
        &self.spec.names
    }

    /// Whether the agent's boots are asked for.
    pub(super) fn includes_boots(&self) -> bool {
        self.spec.includes_boots
    }

    /// How many variables stand before the objects.
    pub(super) fn leading_count(&self) -> usize {
        1 + usize::from(self.spec.includes_boots)
    }

    /// Two questions for what was one: halves, or the object `alone` and the others. `None` where it has one only.
    pub(super) fn split(&self, alone: Option<usize>) -> Option<(Self, Self)> {
        let QuerySpec { objects, includes_boots, .. } = &*self.spec;
        if objects.len() < 2 {
            return None;
        }
        let (one, other) = match alone {
            Some(index) => {
                let mut others = objects.clone();
                let alone = others.remove(index.min(objects.len() - 1));
                (others, vec![alone])
            }
            None => {
                let (front, back) = objects.split_at(objects.len() / 2);
                (front.to_vec(), back.to_vec())
            }
        };
        Some((Self::new(&one, *includes_boots), Self::new(&other, *includes_boots)))
    }

    /// Takes over the wording of whoever asks for the same.
    pub(super) fn share_spec(&mut self, query_specs: &mut QuerySpecs) {
        let own = SpecByContent(Arc::clone(&self.spec));
        match query_specs.0.get(&own) {
            Some(SpecByContent(other)) => self.spec = Arc::clone(other),
            None => drop(query_specs.0.insert(own)),
        }
    }
}

impl QuerySpec {
    fn new(objects: &[Oid], includes_boots: bool) -> Self {
        let mut request = Request::new(Operation::Get);
        request.push(&SYS_UP_TIME, Value::Null);
        if includes_boots {
            request.push(&SNMP_ENGINE_BOOTS, Value::Null);
        }
        let format = OutputFormat { names: NameForm::Suffix, ..OutputFormat::default() };
        let mut names = Vec::with_capacity(objects.len());
        for object in objects {
            request.push(object.arcs(), Value::Null);
            let mut name = String::new();
            format.name(&mut name, object.arcs());
            names.push(name);
        }
        Self { objects: objects.to_vec(), includes_boots, names, request }
    }
}

/// Everything else in a wording follows from what is asked for.
struct SpecByContent(Arc<QuerySpec>);

impl PartialEq for SpecByContent {
    fn eq(&self, other: &Self) -> bool {
        (&self.0.objects, self.0.includes_boots) == (&other.0.objects, other.0.includes_boots)
    }
}

impl Eq for SpecByContent {}

impl Hash for SpecByContent {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (&self.0.objects, self.0.includes_boots).hash(state);
    }
}

/// The questions that ask for `objects`, with at most `most` of them in each.
pub(super) fn queries(objects: &[Oid], most: usize, includes_boots: bool) -> Vec<PollQuery> {
    objects.chunks(most.max(1)).map(|some| PollQuery::new(some, includes_boots)).collect()
}

const SYS_UP_TIME: [u32; 9] = [1, 3, 6, 1, 2, 1, 1, 3, 0];
const SNMP_ENGINE_BOOTS: [u32; 11] = [1, 3, 6, 1, 6, 3, 10, 2, 1, 2, 0];

#[cfg(test)]
mod tests {
    use portreeve_smi::Oid;

    use super::{PollQuery, QuerySpecs};

    fn query(row: u32) -> PollQuery {
        PollQuery::new(&[Oid::new(&[1, 3, 6, 1, 2, 1, 2, 2, 1, 10, row]).unwrap()], false)
    }

    #[test]
    fn queries_for_same_objects_share_their_spec() {
        let mut query_specs = QuerySpecs::default();
        let (mut one, mut same, mut other) = (query(1), query(1), query(2));
        for query in [&mut one, &mut same, &mut other] {
            query.share_spec(&mut query_specs);
        }
        assert!(std::ptr::eq(one.request(), same.request()));
        assert_eq!(one.names(), ["ifInOctets.1"]);
        assert_eq!(other.names(), ["ifInOctets.2"]);
    }
}
