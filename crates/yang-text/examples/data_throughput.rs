//! Prints how long it takes to read and to write 100 000 leafs of 255 characters.
//!
//! ```sh
//! cargo run --release -p portreeve-yang-text --example data_throughput
//! ```
//! Reading is everything between the octets of a request and the edited tree: tokenizer, look-up
//! of the nodes, check of the values, and the rows.

#![expect(clippy::print_stdout, reason = "prints its result")]

use std::error::Error;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use portreeve_yang::{
    IntegerKind, Interval, LengthRestriction, Module, Node, NodeId, NodeKind, Schema, SchemaBuilder,
    SchemaError, Type, TypeKind,
};
use portreeve_yang_text::Progress;
use portreeve_yang_text::read::DataReader;
use portreeve_yang_text::write::TreeWriter;
use portreeve_yang_text::xml::{Tokenizer, Writer};
use portreeve_yang_tree::{Editor, Operation, Tree};

const REPETITIONS: usize = 9;
const PIECE: usize = 64 << 10;
const ENTRIES: usize = 10_000;
const LEAFS: usize = 10;

fn main() -> Result<(), Box<dyn Error>> {
    let schema = Arc::new(schema()?);
    let document = document();
    let (mut tokenizing, mut reading, mut writing) = (Duration::MAX, Duration::MAX, Duration::MAX);
    for _ in 0..REPETITIONS {
        let start = Instant::now();
        tokenize(&document)?;
        tokenizing = tokenizing.min(start.elapsed());
        let start = Instant::now();
        let tree = read(&document, &schema)?;
        reading = reading.min(start.elapsed());
        let start = Instant::now();
        let octets = write(&tree, &schema)?;
        writing = writing.min(start.elapsed());
        black_box(octets);
    }
    let octets = document.len() as f64 / 1e6;
    println!("{octets:.1} MB: tokens {tokenizing:.1?}, tree {reading:.1?}, XML {writing:.1?}");
    Ok(())
}

fn schema() -> Result<Schema, SchemaError> {
    let mut builder = SchemaBuilder::new();
    let module = builder.add_module(Module::new("stair", "urn:example:stair", "s"));
    let number = builder.add_type(Type::new(TypeKind::integer(IntegerKind::Uint32)));
    let length =
        LengthRestriction { intervals: vec![Interval { min: 0, max: 255 }], error: Default::default() };
    let text = builder.add_type(Type::new(TypeKind::String { length: Some(length), patterns: Vec::new() }));
    let mut add = |parent, name: &str, kind| builder.add_node(parent, Node::new(module, name, kind));
    let stairs = add(NodeId::ROOT, "stairs", NodeKind::container());
    let entry = add(stairs, "entry", NodeKind::list());
    let index = add(entry, "index", NodeKind::leaf(number));
    for number in 0..LEAFS {
        add(entry, &format!("text-{number}"), NodeKind::leaf(text));
    }
    builder.set_keys(entry, &[index]);
    builder.build()
}

fn document() -> Vec<u8> {
    let value: String = ('a'..='z').chain('0'..='9').cycle().take(255).collect();
    let leafs: String =
        (0..LEAFS).map(|number| format!("\n      <text-{number}>{value}</text-{number}>")).collect();
    let entries: String = (0..ENTRIES)
        .map(|number| format!("\n    <entry>\n      <index>{number}</index>{leafs}\n    </entry>"))
        .collect();
    format!("<config>\n  <stairs xmlns=\"urn:example:stair\">{entries}\n  </stairs>\n</config>").into_bytes()
}

fn tokenize(document: &[u8]) -> Result<(), Box<dyn Error>> {
    let mut tokenizer = Tokenizer::new();
    for mut octets in document.chunks(PIECE) {
        while let Some(event) = tokenizer.next_event(&mut octets)? {
            black_box(event);
        }
    }
    Ok(tokenizer.finish()?)
}

fn read(document: &[u8], schema: &Arc<Schema>) -> Result<Tree, Box<dyn Error>> {
    let (mut tokenizer, mut reader) = (Tokenizer::new(), DataReader::new());
    let mut editor = Editor::new(Arc::clone(schema), &Tree::new(), Operation::Merge);
    let (head, data) = document.split_at("<config>".len());
    tokenizer.next_event(&mut &*head)?;
    for mut octets in data.strip_suffix(b"</config>").unwrap_or(data).chunks(PIECE) {
        while let Some(event) = tokenizer.next_event(&mut octets)? {
            reader.read(event, schema, &mut editor)?;
        }
    }
    Ok(editor.finish()?)
}

fn write(tree: &Tree, schema: &Arc<Schema>) -> Result<usize, Box<dyn Error>> {
    let (mut tree_writer, mut writer) = (TreeWriter::new(Arc::clone(schema)), Writer::new());
    tree_writer.whole(&mut writer, NodeId::ROOT, Arc::clone(tree.root()))?;
    let (mut buffer, mut octets) = (Vec::new(), 0);
    while tree_writer.advance(&mut writer)? != Progress::Done {
        buffer = writer.take_output(buffer);
        octets += buffer.len();
    }
    Ok(octets + writer.output().len())
}
