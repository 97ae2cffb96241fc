//! Prints memory and times of a tree with 100 000 leafs of 255 octets, and of one with a million
//! leafs.
//!
//! ```text
//! cargo run --release -p portreeve-yang-tree --example measure
//! ```
#![allow(clippy::print_stdout, reason = "the figures are the output")]

use std::{convert::Infallible, error::Error, fs, hint::black_box, sync::Arc, time::Instant};

use portreeve_yang::{IntegerKind, Module, Node, NodeId, NodeKind, Schema, SchemaBuilder, Type, TypeKind};
use portreeve_yang_tree::{Editor, Operation, Tree, Validator};

fn main() -> Result<(), Box<dyn Error>> {
    let stair = Stair::new()?;
    // Both trees are made before anything else, so that no memory has been freed.
    let sizes = [(10_000, 255), (100_000, 10)];
    let trees = sizes.map(|(entries, length)| fill(&stair, entries, length));
    for ((entries, length), tree) in sizes.into_iter().zip(trees) {
        measure(&stair, entries, length, &tree?)?;
    }
    Ok(())
}

fn fill(stair: &Stair, entries: u32, length: usize) -> Result<Tree, Box<dyn Error>> {
    let leafs = f64::from(entries) * f64::from(LEAFS);
    let text = leafs * length as f64;
    println!("{entries} entries of {LEAFS} leafs of {length} octets:");
    let memory = resident()?;
    let start = Instant::now();
    let tree = stair.filled(&Tree::new(), entries, &"x".repeat(length))?;
    let seconds = start.elapsed().as_secs_f64();
    let beyond = (resident()? - memory - text) / leafs;
    println!("  one edit of all leafs    {:8.1} ms", seconds * 1e3);
    println!("  memory beyond the text   {beyond:8.1} bytes per leaf");
    Ok(tree)
}

fn measure(stair: &Stair, entries: u32, length: usize, tree: &Tree) -> Result<(), Box<dyn Error>> {
    println!("{entries} entries of {LEAFS} leafs of {length} octets:");
    let schema = &stair.schema;
    let start = Instant::now();
    let validator = Validator::new(schema.clone());
    let faults = validator.validate(tree).len();
    println!("  validation of the tree   {:8.1} ms, {faults} faults", start.elapsed().as_secs_f64() * 1e3);

    let start = Instant::now();
    let mut octets = 0;
    tree.write_records(schema, &mut |key, value| {
        octets += key.len() + value.len();
        Ok::<_, Infallible>(())
    })?;
    println!("  all records              {:8.1} ms, {octets} octets", start.elapsed().as_secs_f64() * 1e3);

    // All versions are kept until the end of the round, so that each edit copies its path.
    let (mut edits, mut changes) = (Vec::new(), Vec::new());
    let mut versions = vec![tree.clone()];
    for round in 0..EDITS {
        let entry = round.wrapping_mul(2_654_435_761) % entries;
        let before = versions.last().unwrap_or(tree).clone();
        let start = Instant::now();
        let after = stair.edited(&before, entry, &format!("changed {round}"))?;
        edits.push(start.elapsed());
        let start = Instant::now();
        before.write_record_changes(schema, &after, &mut |change| {
            black_box(change);
            Ok::<_, Infallible>(())
        })?;
        black_box(validator.validate_change(&before, &after));
        changes.push(start.elapsed());
        versions.push(after);
    }
    for (name, times) in
        [("edit of one leaf  ", &mut edits), ("its changes, records, validation", &mut changes)]
    {
        times.sort();
        let median = times.get(times.len() / 2).map_or(0.0, |time| time.as_secs_f64() * 1e6);
        println!("  {name:32} {median:6.1} µs (median of {EDITS})");
    }
    let start = Instant::now();
    let other = stair.filled(tree, entries, &"y".repeat(length))?;
    println!("  change of all leafs      {:8.1} ms", start.elapsed().as_secs_f64() * 1e3);
    let start = Instant::now();
    let changed = tree.changes(schema, &other).len();
    println!("  list of {changed} changes   {:8.1} ms", start.elapsed().as_secs_f64() * 1e3);
    Ok(())
}

/// A list with an integer key and ten strings.
struct Stair {
    schema: Arc<Schema>,
    list: NodeId,
    key: NodeId,
    leafs: Vec<NodeId>,
}

impl Stair {
    fn new() -> Result<Self, Box<dyn Error>> {
        let mut builder = SchemaBuilder::new();
        let module = builder.add_module(Module::new("stair", "urn:stair", "st"));
        let string = builder.add_type(Type::new(TypeKind::string()));
        let number = builder.add_type(Type::new(TypeKind::integer(IntegerKind::Uint32)));
        let list = builder.add_node(NodeId::ROOT, Node::new(module, "step", NodeKind::list()));
        let key = builder.add_node(list, Node::new(module, "index", NodeKind::leaf(number)));
        builder.set_keys(list, &[key]);
        let names = (0..LEAFS).map(|number| format!("text-{number}"));
        let leafs = names
            .map(|name| builder.add_node(list, Node::new(module, &name, NodeKind::leaf(string))))
            .collect();
        Ok(Self { schema: Arc::new(builder.build()?), list, key, leafs })
    }

    fn filled(&self, tree: &Tree, entries: u32, value: &str) -> Result<Tree, Box<dyn Error>> {
        let mut editor = Editor::new(self.schema.clone(), tree, Operation::Merge);
        for entry in 0..entries {
            editor.open(self.list, None, None)?;
            editor.leaf(self.key, None, Some(&entry.to_string()))?;
            for leaf in &self.leafs {
                editor.leaf(*leaf, None, Some(value))?;
            }
            editor.close()?;
        }
        Ok(editor.finish()?)
    }

    fn edited(&self, tree: &Tree, entry: u32, value: &str) -> Result<Tree, Box<dyn Error>> {
        let mut editor = Editor::new(self.schema.clone(), tree, Operation::Merge);
        editor.open(self.list, None, None)?;
        editor.leaf(self.key, None, Some(&entry.to_string()))?;
        editor.leaf(*self.leafs.first().ok_or("no leafs")?, None, Some(value))?;
        editor.close()?;
        Ok(editor.finish()?)
    }
}

/// Returns the resident memory of this process in bytes.
fn resident() -> Result<f64, Box<dyn Error>> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no VmRSS")?;
    let kibibytes: f64 = line.trim().trim_end_matches(" kB").parse()?;
    Ok(kibibytes * 1024.0)
}

const LEAFS: u32 = 10;
const EDITS: u32 = 10_001;
