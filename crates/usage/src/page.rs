//! Everything about one program or verb.

use crate::{Completion, Flag};

/// A page of the manual.
#[derive(Clone, Debug)]
pub struct Page {
    /// What is typed, such as `portreeve walk`, or the name of a file that is explained.
    pub name: String,
    /// The manual's section.
    pub manual_section: u8,
    /// One line.
    pub summary: String,
    /// What follows the name, one for each way to use it; none for files.
    pub synopsis: Vec<String>,
    /// What it is.
    pub description: Vec<Block>,
    /// Its own options.
    pub options: Vec<OptionGroup>,
    /// Its commands, where the first operand is one.
    pub commands: Vec<Command>,
    /// What can stand for its operands.
    pub operands: Completion,
    /// Whatever else there is to say: examples, exit status, files, environment.
    pub sections: Vec<Section>,
    /// Other pages worth reading, as `snmp.conf(5)`. Pages of the same program refer to each other anyway.
    pub see_also: Vec<String>,
    /// Another name under which it can be called.
    pub classic_name: Option<&'static str>,
}

impl Page {
    /// A page that says nothing yet.
    pub fn new(name: impl Into<String>, number: u8, summary: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            manual_section: number,
            summary: summary.into(),
            synopsis: Vec::new(),
            description: Vec::new(),
            options: Vec::new(),
            commands: Vec::new(),
            operands: Completion::Nothing,
            sections: Vec::new(),
            see_also: Vec::new(),
            classic_name: None,
        }
    }

    /// What the page is called: the name with hyphens.
    pub fn title(&self) -> String {
        self.name.replace(' ', "-")
    }
}

/// Options under a heading.
#[derive(Clone, Debug)]
pub struct OptionGroup {
    /// The heading; empty where there is only one group.
    pub heading: &'static str,
    /// The options.
    pub entries: Vec<OptionEntry>,
}

/// An option and what its value is made of.
#[derive(Clone, Debug)]
pub struct OptionEntry {
    /// The option.
    pub flag: Flag,
    /// Letters that its value is made of.
    pub letters: Vec<OptionLetter>,
}

impl From<Flag> for OptionEntry {
    fn from(flag: Flag) -> Self {
        Self { flag, letters: Vec::new() }
    }
}

/// A letter of an option's value.
#[derive(Clone, Debug)]
pub struct OptionLetter {
    /// The letter.
    pub letter: char,
    /// What follows it: empty, `NUM`, ` OID`.
    pub value: String,
    /// What it does.
    pub help: &'static str,
}

/// A command of a program that has several.
#[derive(Clone, Debug)]
pub struct Command {
    /// Its name.
    pub name: &'static str,
    /// What follows the name.
    pub synopsis: &'static str,
    /// What it does.
    pub help: &'static str,
    /// Its options.
    pub options: Vec<OptionEntry>,
    /// What can stand for its operands.
    pub operands: Completion,
}

/// A section of a page.
#[derive(Clone, Debug)]
pub struct Section {
    /// The heading.
    pub heading: String,
    /// What stands under it.
    pub blocks: Vec<Block>,
}

impl Section {
    /// A section.
    pub fn new(heading: impl Into<String>, blocks: impl IntoIterator<Item = Block>) -> Self {
        Self { heading: heading.into(), blocks: blocks.into_iter().collect() }
    }

    /// What each exit status means.
    pub fn exit_status(table: &[(u8, &str)]) -> Self {
        Self::new("EXIT STATUS", table.iter().map(|(code, when)| Block::item(code.to_string(), *when)))
    }
}

/// A piece of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A paragraph.
    Text(String),
    /// Something and what it is.
    Item {
        /// As it is written.
        term: String,
        /// What it is; one paragraph for each.
        text: Vec<String>,
    },
    /// Lines to be shown as they are.
    Code(String),
}

impl Block {
    /// A paragraph.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// Something and what it is.
    pub fn item(term: impl Into<String>, text: impl Into<String>) -> Self {
        Self::Item { term: term.into(), text: vec![text.into()] }
    }

    /// Lines to be shown as they are.
    pub fn code(text: impl Into<String>) -> Self {
        Self::Code(text.into())
    }
}
