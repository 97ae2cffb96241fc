//! Visits the nodes that a filter selects (RFC 6241 §6.3).
//!
//! ```text
//! frame of the root ─▶ frame of a partly selected node ─▶ … ─▶ Whole(node)
//!                      opened when the first node in it is selected
//! ```

mod judge;
mod look_up;

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use super::plan::{ChildPlan, Containment, Matches, Plan, PlanId, join_kinds};
use super::{DataTree, Filter};
use judge::{Judging, Verdict};
use look_up::{Found, LookUp};

/// Maximum number of steps of a walk: nodes that are looked at, and comparisons. It limits the
/// time that one request can take. Steps that lead to output do not count, so that data of any size
/// can be read.
pub const MAX_FILTER_STEPS: u64 = 10_000_000;

/// Number of steps that a part of the output may need without being counted.
const STEPS_PER_SELECTION: u64 = 32;

/// Number of steps after which [`FilterWalk::next_selection`] pauses.
const STEPS_PER_CALL: u64 = 10_000;

/// A step of the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection<N> {
    /// The start of a node of which not everything is selected. The keys of a list entry follow
    /// directly.
    Open(N),
    /// A node with all its descendants.
    Whole(N),
    /// The end of the node that was opened last.
    Close,
    /// Nothing was selected for a while. The caller can let others run before the next call.
    Pause,
}

/// The request needs more than [`MAX_FILTER_STEPS`] steps that have no output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyStepsError;

/// The state of a walk through one tree.
pub struct FilterWalk<T: DataTree> {
    plan: Plan<T>,
    filter: Filter,
    /// The decision about a child of the last frame.
    judging: Option<Judging<T>>,
    frames: Vec<Frame<T>>,
    output: VecDeque<Selection<T::Node>>,
    /// Number of steps that remain.
    steps: u64,
    max_steps: u64,
}

/// A node of which some children may be selected.
struct Frame<T: DataTree> {
    node: T::Node,
    /// `None` for the root.
    kind: Option<T::Kind>,
    is_open: bool,
    /// The containment node that applies, if there is one only.
    single: Option<PlanId>,
    /// The children of several containment nodes.
    merged: Vec<ChildPlan<T>>,
    /// Index of the current kind of children.
    index: usize,
    progress: Progress<T>,
}

/// The state of the current kind of children.
enum Progress<T: DataTree> {
    /// Nothing has been done.
    Start,
    /// The entries whose keys are in the filter are looked up.
    LookUp(LookUp<T>),
    /// All children are looked at. `found` has the entries that keys have found, in their order.
    Scan { previous: Option<T::Node>, plans: Arc<[PlanId]>, found: VecDeque<Found<T>> },
    /// Only the entries that keys have found are looked at.
    Entries(VecDeque<Found<T>>),
}

impl<T: DataTree> FilterWalk<T> {
    /// Begins a walk through `tree`.
    ///
    /// # Errors
    /// If the filter alone needs too many steps.
    pub fn new(filter: Filter, tree: &T) -> Result<Self, TooManyStepsError> {
        Self::with_max_steps(filter, tree, MAX_FILTER_STEPS)
    }

    pub(super) fn with_max_steps(
        filter: Filter,
        tree: &T,
        max_steps: u64,
    ) -> Result<Self, TooManyStepsError> {
        let mut steps = max_steps;
        let plan = Plan::new(&filter, tree, &mut steps)?;
        let judging = Some(Judging::new(tree.root(), None, plan.roots.as_slice().into()));
        Ok(Self { plan, filter, judging, frames: Vec::new(), output: VecDeque::new(), steps, max_steps })
    }

    /// Returns the next part of the output, or `None` at its end. All calls need the same tree.
    ///
    /// # Errors
    /// If the walk needs too many steps. Its output is then incomplete.
    pub fn next_selection(&mut self, tree: &T) -> Result<Option<Selection<T::Node>>, TooManyStepsError> {
        let pause = self.steps.saturating_sub(STEPS_PER_CALL);
        loop {
            if let Some(selection) = self.output.pop_front() {
                self.steps = (self.steps + STEPS_PER_SELECTION).min(self.max_steps);
                return Ok(Some(selection));
            }
            if self.steps < pause {
                return Ok(Some(Selection::Pause));
            }
            if self.frames.is_empty() && self.judging.is_none() {
                return Ok(None);
            }
            self.step(tree)?;
        }
    }

    /// Advances by one comparison, child or kind.
    fn step(&mut self, tree: &T) -> Result<(), TooManyStepsError> {
        self.count(1)?;
        if let Some(judging) = &mut self.judging {
            let verdict = judging.step(&self.plan, &self.filter, tree);
            return self.judged(tree, verdict);
        }
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let Some(kind) = child_plan(&self.plan, frame).map(|child| child.kind) else {
            let is_open = frame.is_open;
            self.frames.pop();
            if is_open && !self.frames.is_empty() {
                self.output.push_back(Selection::Close);
            }
            return Ok(());
        };
        match &mut frame.progress {
            Progress::Start => {
                let plans = child_plan(&self.plan, frame).map_or(Vec::new(), |child| child.plans.clone());
                self.set_progress(Progress::LookUp(LookUp::new(plans)));
            }
            Progress::LookUp(look_up) => {
                if !look_up.step(&self.plan, tree, &frame.node, kind) {
                    self.end_look_up(tree)?;
                }
            }
            Progress::Entries(found) => match found.pop_front() {
                Some((node, plans)) => self.judging = Some(Judging::new(node, Some(kind), plans)),
                None => self.end_kind(),
            },
            Progress::Scan { previous, plans, found } => {
                let Some(node) = tree.next_child(&frame.node, kind, previous.as_ref()) else {
                    self.end_kind();
                    return Ok(());
                };
                *previous = Some(node.clone());
                let is_found =
                    found.front().is_some_and(|(entry, _)| tree.compare_entries(entry, &node).is_eq());
                let more = if is_found { found.pop_front() } else { None };
                let plans = match more {
                    Some((_, more)) => [&**plans, &*more].concat().into(),
                    None => Arc::clone(plans),
                };
                self.judging = Some(Judging::new(node, Some(kind), plans));
            }
        }
        Ok(())
    }

    /// Continues after a step of the decision about a node.
    fn judged(&mut self, tree: &T, verdict: Verdict) -> Result<(), TooManyStepsError> {
        if matches!(verdict, Verdict::Unknown) {
            return Ok(());
        }
        let Some(Judging { node, kind, .. }) = self.judging.take() else { return Ok(()) };
        match (verdict, kind) {
            (Verdict::Whole, Some(kind)) => {
                self.select(tree, kind, node);
                Ok(())
            }
            (Verdict::Descendants(active), _) if !active.is_empty() => self.enter(node, kind, &active),
            _ => Ok(()),
        }
    }

    /// Begins with the children, after all entries have been looked up.
    fn end_look_up(&mut self, tree: &T) -> Result<(), TooManyStepsError> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        if let Progress::LookUp(look_up) = std::mem::replace(&mut frame.progress, Progress::Start) {
            self.count(look_up.count())?;
            let (others, found) = look_up.finish(tree);
            self.set_progress(match others.is_empty() {
                true => Progress::Entries(found),
                false => Progress::Scan { previous: None, plans: others.into(), found },
            });
        }
        Ok(())
    }

    fn end_kind(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.index += 1;
            frame.progress = Progress::Start;
        }
    }

    fn set_progress(&mut self, progress: Progress<T>) {
        if let Some(frame) = self.frames.last_mut() {
            frame.progress = progress;
        }
    }

    /// Begins with the children of a node to which the containment nodes `plans` apply.
    fn enter(
        &mut self,
        node: T::Node,
        kind: Option<T::Kind>,
        plans: &[PlanId],
    ) -> Result<(), TooManyStepsError> {
        let (single, merged) = match plans {
            [single] => (Some(*single), Vec::new()),
            _ => (None, self.merge(plans)?),
        };
        let is_open = kind.is_none();
        self.frames.push(Frame { node, kind, is_open, single, merged, index: 0, progress: Progress::Start });
        Ok(())
    }

    /// Returns the children of several containment nodes, in the order of the output.
    //= rfc6241#6.1-p1
    fn merge(&mut self, plans: &[PlanId]) -> Result<Vec<ChildPlan<T>>, TooManyStepsError> {
        let mut children: Vec<ChildPlan<T>> = Vec::new();
        for id in plans {
            if let Some(containment) = containment(&self.plan, *id) {
                children.extend(containment.children.iter().cloned());
            }
        }
        self.count(children.len())?;
        join_kinds(&mut children);
        Ok(children)
    }

    /// Selects a child of the innermost frame with all its descendants.
    fn select(&mut self, tree: &T, kind: T::Kind, node: T::Node) {
        for index in 0..self.frames.len() {
            self.open(tree, index);
        }
        // Keys have been written when their entry was opened.
        if !tree.is_key(kind) {
            self.output.push_back(Selection::Whole(node));
        }
    }

    /// Writes the start of a frame's node and its keys, once.
    fn open(&mut self, tree: &T, index: usize) {
        let Some(frame) = self.frames.get_mut(index).filter(|frame| !frame.is_open) else { return };
        frame.is_open = true;
        let (node, kind) = (frame.node.clone(), frame.kind);
        self.output.push_back(Selection::Open(node.clone()));
        //= rfc6241#6.2.5-p5
        for kind in tree.child_kinds(kind).filter(|kind| tree.is_key(*kind)) {
            self.output.extend(tree.next_child(&node, kind, None).map(Selection::Whole));
        }
    }

    fn count(&mut self, steps: usize) -> Result<(), TooManyStepsError> {
        let steps = u64::try_from(steps).unwrap_or(u64::MAX);
        self.steps = self.steps.checked_sub(steps).ok_or(TooManyStepsError)?;
        Ok(())
    }
}

/// Returns the current kind of children of a frame.
fn child_plan<'p, T: DataTree>(plan: &'p Plan<T>, frame: &'p Frame<T>) -> Option<&'p ChildPlan<T>> {
    match frame.single {
        Some(id) => containment(plan, id)?.children.get(frame.index),
        None => frame.merged.get(frame.index),
    }
}

fn containment<T: DataTree>(plan: &Plan<T>, id: PlanId) -> Option<&Containment<T>> {
    match &plan.get(id)?.matches {
        Matches::Descendants(containment) => Some(containment),
        _ => None,
    }
}

impl fmt::Display for TooManyStepsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the filter needs more than {MAX_FILTER_STEPS} steps")
    }
}

impl std::error::Error for TooManyStepsError {}
