//! Visits the nodes that a filter selects (RFC 6241 §6.3).
//!
//! ```text
//! frame of the root ─▶ frame of a partly selected node ─▶ … ─▶ Whole(node)
//!                      opened when the first node in it is selected
//! ```

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use super::plan::{ChildPlan, Containment, Matches, Plan, PlanId};
use super::{DataTree, Filter};

/// Maximum number of steps of a walk: nodes that are looked at, and comparisons. It limits the
/// time that one request can take.
pub const MAX_FILTER_STEPS: u64 = 10_000_000;

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

/// The request needs more than [`MAX_FILTER_STEPS`] steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyStepsError;

/// The state of a walk through one tree.
pub struct FilterWalk<T: DataTree> {
    plan: Plan<T>,
    filter: Filter,
    frames: Vec<Frame<T>>,
    output: VecDeque<Selection<T::Node>>,
    steps: u64,
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
    /// All children are looked at. `found` has the entries that keys have found, in their order.
    Scan { previous: Option<T::Node>, plans: Arc<[PlanId]>, found: VecDeque<Found<T>> },
    /// Only the entries that keys have found are looked at.
    Entries(VecDeque<Found<T>>),
}

/// A list entry, and the filter nodes with its keys.
type Found<T> = (<T as DataTree>::Node, Vec<PlanId>);

impl<T: DataTree> FilterWalk<T> {
    /// Begins a walk through `tree`.
    ///
    /// # Errors
    /// If the filter alone needs too many steps.
    pub fn new(filter: Filter, tree: &T) -> Result<Self, TooManyStepsError> {
        let mut steps = MAX_FILTER_STEPS;
        let plan = Plan::new(&filter, tree, &mut steps)?;
        let mut walk = Self { plan, filter, frames: Vec::new(), output: VecDeque::new(), steps };
        let roots = walk.plan.roots.clone();
        // The root node itself is not part of the output.
        walk.enter_root(tree, &roots)?;
        Ok(walk)
    }

    /// Returns the next part of the output, or `None` at its end. All calls need the same tree.
    ///
    /// # Errors
    /// If the walk needs too many steps. Its output is then incomplete.
    pub fn next_selection(&mut self, tree: &T) -> Result<Option<Selection<T::Node>>, TooManyStepsError> {
        let pause = self.steps.saturating_sub(STEPS_PER_CALL);
        loop {
            if let Some(selection) = self.output.pop_front() {
                return Ok(Some(selection));
            }
            if self.steps < pause {
                return Ok(Some(Selection::Pause));
            }
            if self.frames.is_empty() {
                return Ok(None);
            }
            self.step(tree)?;
        }
    }

    /// Advances the innermost frame by one child or kind.
    fn step(&mut self, tree: &T) -> Result<(), TooManyStepsError> {
        self.count(1)?;
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
                let progress = self.begin_kind(tree, kind)?;
                if let Some(frame) = self.frames.last_mut() {
                    frame.progress = progress;
                }
            }
            Progress::Entries(found) => match found.pop_front() {
                Some((node, plans)) => self.visit(tree, kind, node, &plans)?,
                None => self.end_kind(),
            },
            Progress::Scan { previous, plans, found } => {
                let Some(node) = tree.next_child(&frame.node, kind, previous.as_ref()) else {
                    self.end_kind();
                    return Ok(());
                };
                *previous = Some(node.clone());
                let plans = Arc::clone(plans);
                let is_found =
                    found.front().is_some_and(|(entry, _)| tree.compare_entries(entry, &node).is_eq());
                let more = if is_found { found.pop_front() } else { None };
                match more {
                    Some((_, more)) => self.visit(tree, kind, node, &[&*plans, more.as_slice()].concat())?,
                    None => self.visit(tree, kind, node, &plans)?,
                }
            }
        }
        Ok(())
    }

    /// Divides the filter nodes for one kind: those with all keys are looked up.
    fn begin_kind(&mut self, tree: &T, kind: T::Kind) -> Result<Progress<T>, TooManyStepsError> {
        let Some(frame) = self.frames.last() else { return Ok(Progress::Start) };
        let parent = frame.node.clone();
        let plans = child_plan(&self.plan, frame).map_or(Vec::new(), |child| child.plans.clone());
        self.count(plans.len())?;
        let mut others = Vec::new();
        let mut found: Vec<(T::Node, PlanId)> = Vec::new();
        for id in plans {
            let keys = match self.plan.get(id).map(|node| &node.matches) {
                Some(Matches::Descendants(containment)) if !containment.keys.is_empty() => &containment.keys,
                _ => {
                    others.push(id);
                    continue;
                }
            };
            let keys: Vec<_> =
                keys.iter().filter_map(|(kind, id)| Some((*kind, self.plan.value(*id)?))).collect();
            if let Some(entry) = tree.find_entry(&parent, kind, &keys) {
                found.push((entry, id));
            }
        }
        found.sort_by(|(one, _), (other, _)| tree.compare_entries(one, other));
        let mut entries: VecDeque<Found<T>> = VecDeque::with_capacity(found.len());
        for (node, id) in found {
            match entries.back_mut() {
                Some((last, plans)) if tree.compare_entries(last, &node).is_eq() => plans.push(id),
                _ => entries.push_back((node, vec![id])),
            }
        }
        Ok(match others.is_empty() {
            true => Progress::Entries(entries),
            false => Progress::Scan { previous: None, plans: others.into(), found: entries },
        })
    }

    fn end_kind(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.index += 1;
            frame.progress = Progress::Start;
        }
    }

    /// Decides about one child.
    fn visit(
        &mut self,
        tree: &T,
        kind: T::Kind,
        node: T::Node,
        plans: &[PlanId],
    ) -> Result<(), TooManyStepsError> {
        let mut active = Vec::new();
        for id in plans {
            match self.judge(tree, &node, *id)? {
                Verdict::Nothing => {}
                Verdict::Whole => return self.select(tree, kind, node),
                Verdict::Descendants => active.push(*id),
            }
        }
        if active.is_empty() {
            return Ok(());
        }
        self.enter(node, Some(kind), &active)
    }

    /// Begins with the root, if one of its sibling sets applies.
    fn enter_root(&mut self, tree: &T, plans: &[PlanId]) -> Result<(), TooManyStepsError> {
        let root = tree.root();
        let mut active = Vec::new();
        for id in plans {
            if !matches!(self.judge(tree, &root, *id)?, Verdict::Nothing) {
                active.push(*id);
            }
        }
        self.enter(root, None, &active)
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
        children.sort_by_key(|child| child.position);
        children.dedup_by(|next, kept| {
            let is_same = next.position == kept.position;
            if is_same {
                kept.plans.append(&mut next.plans);
            }
            is_same
        });
        Ok(children)
    }

    fn judge(&mut self, tree: &T, node: &T::Node, id: PlanId) -> Result<Verdict, TooManyStepsError> {
        self.count(1)?;
        let Some(plan) = self.plan.get(id) else { return Ok(Verdict::Nothing) };
        let filter_node = plan.filter_node.and_then(|index| self.filter.nodes.get(index));
        //= rfc6241#6.2.2-p1
        let has_all = |filter_node| {
            self.filter.attributes(filter_node).all(|attribute| tree.has_attribute(node, attribute))
        };
        if !filter_node.is_none_or(has_all) {
            return Ok(Verdict::Nothing);
        }
        let containment = match &plan.matches {
            Matches::Whole => return Ok(Verdict::Whole),
            Matches::Nothing => return Ok(Verdict::Nothing),
            Matches::Value(value) if tree.is_equal(node, value) => return Ok(Verdict::Whole),
            Matches::Value(_) => return Ok(Verdict::Nothing),
            Matches::Descendants(containment) => containment,
        };
        let verdict = if containment.has_only_contents { Verdict::Whole } else { Verdict::Descendants };
        //= rfc6241#6.2.5-p3
        for index in 0..containment.contents.len() {
            if !self.has_content(tree, node, id, index)? {
                return Ok(Verdict::Nothing);
            }
        }
        Ok(verdict)
    }

    /// Returns true if a child matches the content match node with this index.
    fn has_content(
        &mut self,
        tree: &T,
        node: &T::Node,
        id: PlanId,
        index: usize,
    ) -> Result<bool, TooManyStepsError> {
        let mut alternative = 0;
        while let Some((kind, content)) = containment(&self.plan, id)
            .and_then(|containment| containment.contents.get(index)?.get(alternative).copied())
        {
            let mut leaf = tree.next_child(node, kind, None);
            while let Some(this) = leaf {
                if matches!(self.judge(tree, &this, content)?, Verdict::Whole) {
                    return Ok(true);
                }
                leaf = tree.next_child(node, kind, Some(&this));
            }
            alternative += 1;
        }
        Ok(false)
    }

    /// Selects a child of the innermost frame with all its descendants.
    fn select(&mut self, tree: &T, kind: T::Kind, node: T::Node) -> Result<(), TooManyStepsError> {
        for index in 0..self.frames.len() {
            self.open(tree, index)?;
        }
        // Keys have been written when their entry was opened.
        if !tree.is_key(kind) {
            self.output.push_back(Selection::Whole(node));
        }
        Ok(())
    }

    /// Writes the start of a frame's node and its keys, once.
    fn open(&mut self, tree: &T, index: usize) -> Result<(), TooManyStepsError> {
        let Some(frame) = self.frames.get_mut(index).filter(|frame| !frame.is_open) else {
            return Ok(());
        };
        frame.is_open = true;
        let (node, kind) = (frame.node.clone(), frame.kind);
        self.output.push_back(Selection::Open(node.clone()));
        //= rfc6241#6.2.5-p5
        for kind in tree.child_kinds(kind).filter(|kind| tree.is_key(*kind)) {
            self.output.extend(tree.next_child(&node, kind, None).map(Selection::Whole));
        }
        Ok(())
    }

    fn count(&mut self, steps: usize) -> Result<(), TooManyStepsError> {
        let steps = u64::try_from(steps).unwrap_or(u64::MAX);
        self.steps = self.steps.checked_sub(steps).ok_or(TooManyStepsError)?;
        Ok(())
    }
}

enum Verdict {
    Nothing,
    Whole,
    Descendants,
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
