mod examples;
mod limits;
mod oracle;
mod tree;

use portreeve_yang_text::xml::{Event, Tokenizer};

use super::{Filter, FilterBuilder, FilterWalk, Selection, TooManyStepsError};
use crate::rpc_error::RpcError;
use tree::TestTree;

/// Reads a filter from the content of `filter`.
fn parse(content: &str) -> Result<Filter, RpcError> {
    let document = format!("<filter>{content}</filter>");
    let mut tokenizer = Tokenizer::new();
    let mut builder = FilterBuilder::default();
    let mut octets = document.as_bytes();
    let mut depth = 0;
    while let Some(event) = tokenizer.next_event(&mut octets).unwrap() {
        match event {
            Event::Start(start) => {
                if depth > 0 {
                    builder.start(start)?;
                }
                depth += 1;
            }
            Event::Text(text) => builder.text(text)?,
            Event::End(end) => {
                depth -= 1;
                if depth > 0 {
                    builder.end(end.scope)?;
                }
            }
        }
    }
    tokenizer.finish().unwrap();
    Ok(builder.finish())
}

/// Returns the output of a filter as XML without namespaces.
fn select(tree: &TestTree, content: &str) -> String {
    let filter = parse(content).unwrap_or_else(|error| panic!("{content}: {error:?}"));
    walk(tree, filter).unwrap()
}

fn walk(tree: &TestTree, filter: Filter) -> Result<String, TooManyStepsError> {
    let mut walk = FilterWalk::new(filter, tree)?;
    let (mut text, mut open) = (String::new(), Vec::new());
    while let Some(selection) = walk.next_selection(tree)? {
        match selection {
            Selection::Open(node) => {
                text += &tree.start(node);
                open.push(node);
            }
            Selection::Whole(node) => text += &tree.print(node, &|_| true),
            Selection::Close => text += &tree.end(open.pop().expect("each end has a start")),
            Selection::Pause => {}
        }
    }
    assert!(open.is_empty());
    Ok(text)
}
