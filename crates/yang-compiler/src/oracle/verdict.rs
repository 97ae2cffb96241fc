//! Verdicts in a form that both sides have.

use std::sync::Arc;

use portreeve_yang::Schema;
use portreeve_yang_text::{read::DataReader, xml::Tokenizer};
use portreeve_yang_tree::{Editor, FaultReason, Operation, Tree, Validator};

use crate::libyang::Message;

/// Our verdict on a document.
#[derive(Debug)]
#[expect(dead_code, reason = "messages of failed tests show the reason of a refusal")]
pub(super) enum Outcome {
    Valid,
    /// The reader or the editor refuses it.
    Refused(String),
    /// The kinds and paths of all faults, ordered.
    Faults(Vec<(String, String)>),
}

impl Outcome {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Refused(_) => "refused",
            Self::Faults(_) => "faults",
        }
    }
}

/// Reads a document in XML into an empty tree, and validates this tree.
pub(super) fn ours(schema: &Arc<Schema>, validator: &Validator, xml: &str) -> Outcome {
    let tree = match read(schema, xml) {
        Ok(tree) => tree,
        Err(error) => return Outcome::Refused(error),
    };
    let faults = validator.validate(&tree);
    if faults.is_empty() {
        return Outcome::Valid;
    }
    let fault = |fault: &portreeve_yang_tree::Fault| {
        let path = fault.path.canonical(schema);
        match fault.reason {
            // libyang names the parent, and the missing node in its text.
            FaultReason::MandatoryMissing => {
                let (parent, name) = path.rsplit_once('/').unwrap();
                ("mandatory".to_owned(), format!("{parent} {name}"))
            }
            FaultReason::ChoiceMissing(choice) => {
                ("missing-choice".to_owned(), format!("{path} {}", schema.node(choice).name))
            }
            FaultReason::SeveralCases(_) => ("several-cases".to_owned(), path),
            FaultReason::TooFewElements => ("too-few-elements".to_owned(), path),
            FaultReason::TooManyElements => ("too-many-elements".to_owned(), path),
            FaultReason::NotUnique(_) => ("data-not-unique".to_owned(), without_entry(&path)),
            FaultReason::InstanceRequired => ("instance-required".to_owned(), path),
        }
    };
    let mut faults: Vec<_> = faults.iter().map(fault).collect();
    faults.sort();
    faults.dedup();
    Outcome::Faults(faults)
}

fn read(schema: &Arc<Schema>, xml: &str) -> Result<Tree, String> {
    let xml = format!("<data>{xml}</data>");
    let (mut tokenizer, mut reader) = (Tokenizer::new(), DataReader::new());
    let mut editor = Editor::new(Arc::clone(schema), &Tree::new(), Operation::Merge);
    let mut octets = xml.as_bytes();
    tokenizer.next_event(&mut octets).map_err(|error| error.to_string())?;
    while let Some(event) = tokenizer.next_event(&mut octets).map_err(|error| error.to_string())? {
        // The end of the element that contains the document.
        if octets.is_empty() {
            break;
        }
        reader.read(event, schema, &mut editor).map_err(|error| format!("{error:?}"))?;
    }
    editor.finish().map_err(|error| error.to_string())
}

/// Returns the kinds and paths of libyang's errors, ordered.
pub(super) fn faults_of_libyang(messages: &[Message]) -> Vec<(String, String)> {
    let fault = |message: &Message| {
        let path = message.data_path.clone().unwrap_or_default();
        let name = message.text.split('"').nth(1).unwrap_or_default();
        match message.app_tag.as_deref() {
            Some("missing-choice") => ("missing-choice".to_owned(), format!("{path} {name}")),
            Some("data-not-unique") => ("data-not-unique".to_owned(), without_entry(&path)),
            // The path is that of the last entry, or that of the parent if there is none.
            Some(tag @ ("too-few-elements" | "too-many-elements")) => {
                let (parent, last) = path.rsplit_once('/').unwrap_or_default();
                let last = last.split('[').next().unwrap_or_default();
                // At the top level, a name has its module.
                let is_entry = last.rsplit(':').next() == Some(name);
                let list = if is_entry { format!("{parent}/{last}") } else { format!("{path}/{name}") };
                (tag.to_owned(), list)
            }
            Some(tag) => (tag.to_owned(), path),
            None if message.text.starts_with("Mandatory node") => {
                ("mandatory".to_owned(), format!("{path} {name}"))
            }
            None => (message.text.clone(), path),
        }
    };
    let mut faults: Vec<_> = messages.iter().filter(|message| message.is_error).map(fault).collect();
    faults.sort();
    faults.dedup();
    faults
}

/// Returns the path of a list from that of an entry: libyang names any of two entries that have the
/// same values.
fn without_entry(path: &str) -> String {
    path.rsplit_once('[').map_or(path, |(list, _)| list).to_owned()
}
