//! What one message asks for: some of a target's objects, and with them when the agent last restarted.

use portreeve_manager::{Operation, Request};
use portreeve_mib::format::{Format, NameForm};
use portreeve_smi::{Oid, Value};

use super::change::History;

/// One request, made once and sent in every round.
pub(super) struct Question {
    pub(super) request: Request,
    objects: Vec<Oid>,
    /// What the objects are called in results.
    pub(super) names: Vec<String>,
    pub(super) history: History,
    /// Whether the agent's boots are asked for.
    pub(super) boots: bool,
}

impl Question {
    /// Asks for `objects`, and for no more than when the agent has restarted where there are none.
    pub(super) fn new(objects: &[Oid], boots: bool) -> Self {
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
        Self { request, objects: objects.to_vec(), names, history: History::default(), boots }
    }

    /// How many variables stand before the objects.
    pub(super) fn before(&self) -> usize {
        1 + usize::from(self.boots)
    }

    /// Two questions for what was one: halves, or the object `alone` and the others. `None` where it has one only.
    pub(super) fn split(&self, alone: Option<usize>) -> Option<(Self, Self)> {
        if self.objects.len() < 2 {
            return None;
        }
        let (one, other) = match alone {
            Some(index) => {
                let mut others = self.objects.clone();
                let alone = others.remove(index.min(self.objects.len() - 1));
                (others, vec![alone])
            }
            None => {
                let (front, back) = self.objects.split_at(self.objects.len() / 2);
                (front.to_vec(), back.to_vec())
            }
        };
        Some((Self::new(&one, self.boots), Self::new(&other, self.boots)))
    }
}

/// The questions that ask for `objects`, with at most `most` of them in each.
pub(super) fn questions(objects: &[Oid], most: usize, boots: bool) -> Vec<Question> {
    objects.chunks(most.max(1)).map(|some| Question::new(some, boots)).collect()
}

const SYS_UP_TIME: [u32; 9] = [1, 3, 6, 1, 2, 1, 1, 3, 0];
const SNMP_ENGINE_BOOTS: [u32; 11] = [1, 3, 6, 1, 6, 3, 10, 2, 1, 2, 0];
