//! Queries: some of a target's objects, together with sysUpTime and boots to detect restarts.

use std::{collections::HashSet, hash::Hash, sync::Arc};

use portreeve_mib::format::{NameForm, OutputFormat};
use portreeve_smi::{Oid, Value};
use portreeve_snmp_manager::{Operation, Request};

use super::change::History;

/// One query, which is sent in every round, and its last response.
pub(super) struct PollQuery {
    spec: Arc<QuerySpec>,
    pub(super) history: History,
}

/// The content of a query. Peers with the same objects share it, so that it stays in the CPU cache.
struct QuerySpec {
    objects: Vec<Oid>,
    includes_boots: bool,
    names: Vec<String>,
    request: Request,
}

/// The query specifications that peers share.
#[derive(Default)]
pub(super) struct QuerySpecs(HashSet<SpecByContent>);

impl PollQuery {
    /// Creates a query for `objects`; without objects it only detects restarts.
    pub(super) fn new(objects: &[Oid], includes_boots: bool) -> Self {
        Self { spec: Arc::new(QuerySpec::new(objects, includes_boots)), history: History::default() }
    }

    pub(super) fn request(&self) -> &Request {
        &self.spec.request
    }

    /// Returns the names of the objects for results.
    pub(super) fn names(&self) -> &[String] {
        &self.spec.names
    }

    /// Returns true if the query includes the agent's boots.
    pub(super) fn includes_boots(&self) -> bool {
        self.spec.includes_boots
    }

    /// Returns the number of variables that precede the objects: sysUpTime and boots.
    pub(super) fn leading_count(&self) -> usize {
        1 + usize::from(self.spec.includes_boots)
    }

    /// Splits the query: into halves, or into the object `alone` and the others. `None` if it has
    /// only one object.
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

    /// Uses the specification of an existing query for the same objects, if there is one.
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

/// Compares specifications by their objects; everything else follows from these.
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

/// Returns the queries for `objects`, with at most `max_objects` in each.
pub(super) fn queries(objects: &[Oid], max_objects: usize, includes_boots: bool) -> Vec<PollQuery> {
    objects.chunks(max_objects.max(1)).map(|some| PollQuery::new(some, includes_boots)).collect()
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
    fn queries_for_the_same_objects_share_one_request_in_memory() {
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
