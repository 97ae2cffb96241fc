//! What one message asks for: some of a target's objects, and with them when the agent last restarted.

use std::{collections::HashSet, hash::Hash, sync::Arc};

use portreeve_mib::format::{Format, NameForm};
use portreeve_smi::{Oid, Value};
use portreeve_snmp_manager::{Operation, Request};

use super::change::History;

/// One request, sent in every round, and what it was answered last.
pub(super) struct Question {
    wording: Arc<Wording>,
    pub(super) history: History,
}

/// What is asked, the same for all peers that are asked for the same: then it stays in the processor's cache.
struct Wording {
    objects: Vec<Oid>,
    boots: bool,
    names: Vec<String>,
    request: Request,
}

/// Wordings that are in use.
#[derive(Default)]
pub(super) struct Wordings(HashSet<ByMeaning>);

impl Question {
    /// Asks for `objects`, and for no more than when the agent has restarted where there are none.
    pub(super) fn new(objects: &[Oid], boots: bool) -> Self {
        Self { wording: Arc::new(Wording::new(objects, boots)), history: History::default() }
    }

    pub(super) fn request(&self) -> &Request {
        &self.wording.request
    }

    /// What the objects are called in results.
    pub(super) fn names(&self) -> &[String] {
        &self.wording.names
    }

    /// Whether the agent's boots are asked for.
    pub(super) fn boots(&self) -> bool {
        self.wording.boots
    }

    /// How many variables stand before the objects.
    pub(super) fn before(&self) -> usize {
        1 + usize::from(self.wording.boots)
    }

    /// Two questions for what was one: halves, or the object `alone` and the others. `None` where it has one only.
    pub(super) fn split(&self, alone: Option<usize>) -> Option<(Self, Self)> {
        let Wording { objects, boots, .. } = &*self.wording;
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
        Some((Self::new(&one, *boots), Self::new(&other, *boots)))
    }

    /// Takes over the wording of whoever asks for the same.
    pub(super) fn share(&mut self, wordings: &mut Wordings) {
        let own = ByMeaning(Arc::clone(&self.wording));
        match wordings.0.get(&own) {
            Some(ByMeaning(other)) => self.wording = Arc::clone(other),
            None => drop(wordings.0.insert(own)),
        }
    }
}

impl Wording {
    fn new(objects: &[Oid], boots: bool) -> Self {
        let mut request = Request::new(Operation::Get);
        request.push(&SYS_UP_TIME, Value::Null);
        if boots {
            request.push(&SNMP_ENGINE_BOOTS, Value::Null);
        }
        let format = Format { names: NameForm::Suffix, ..Format::default() };
        let mut names = Vec::with_capacity(objects.len());
        for object in objects {
            request.push(object.arcs(), Value::Null);
            let mut name = String::new();
            format.name(&mut name, object.arcs());
            names.push(name);
        }
        Self { objects: objects.to_vec(), boots, names, request }
    }
}

/// Everything else in a wording follows from what is asked for.
struct ByMeaning(Arc<Wording>);

impl PartialEq for ByMeaning {
    fn eq(&self, other: &Self) -> bool {
        (&self.0.objects, self.0.boots) == (&other.0.objects, other.0.boots)
    }
}

impl Eq for ByMeaning {}

impl Hash for ByMeaning {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (&self.0.objects, self.0.boots).hash(state);
    }
}

/// The questions that ask for `objects`, with at most `most` of them in each.
pub(super) fn questions(objects: &[Oid], most: usize, boots: bool) -> Vec<Question> {
    objects.chunks(most.max(1)).map(|some| Question::new(some, boots)).collect()
}

const SYS_UP_TIME: [u32; 9] = [1, 3, 6, 1, 2, 1, 1, 3, 0];
const SNMP_ENGINE_BOOTS: [u32; 11] = [1, 3, 6, 1, 6, 3, 10, 2, 1, 2, 0];

#[cfg(test)]
mod tests {
    use portreeve_smi::Oid;

    use super::{Question, Wordings};

    fn question(row: u32) -> Question {
        Question::new(&[Oid::new(&[1, 3, 6, 1, 2, 1, 2, 2, 1, 10, row]).unwrap()], false)
    }

    #[test]
    fn questions_for_the_same_objects_share_their_wording_and_others_do_not() {
        let mut wordings = Wordings::default();
        let (mut one, mut same, mut other) = (question(1), question(1), question(2));
        for question in [&mut one, &mut same, &mut other] {
            question.share(&mut wordings);
        }
        assert!(std::ptr::eq(one.request(), same.request()));
        assert_eq!(one.names(), ["ifInOctets.1"]);
        assert_eq!(other.names(), ["ifInOctets.2"]);
    }
}
