//! The documentation of one program, verb or configuration file.

use crate::{Completion, Flag};

/// A page of the manual.
#[derive(Clone, Debug)]
pub struct Page {
    /// The command line, such as `portreeve walk`, or the name of the documented file.
    pub name: String,
    /// The section of the manual, such as 1 or 8.
    pub manual_section: u8,
    /// The summary in one line.
    pub summary: String,
    /// The arguments after the name, with one entry for each form; empty for files.
    pub synopsis: Vec<String>,
    /// The blocks of the DESCRIPTION section.
    pub description: Vec<Block>,
    /// The options, in groups.
    pub options: Vec<OptionGroup>,
    /// The commands, if the first operand is a command.
    pub commands: Vec<Command>,
    /// The completion of the operands.
    pub operands: Completion,
    /// Further sections: examples, exit status, files, environment.
    pub sections: Vec<Section>,
    /// References to other pages, such as `snmp.conf(5)`.
    pub see_also: Vec<String>,
    /// The name of the Net-SNMP command that this verb replaces.
    pub classic_name: Option<&'static str>,
}

impl Page {
    /// Creates a page without text.
    pub fn new(name: impl Into<String>, manual_section: u8, summary: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            manual_section,
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

    /// Returns the title of the page: the name with hyphens instead of spaces.
    pub fn title(&self) -> String {
        self.name.replace(' ', "-")
    }
}

/// Options under one heading.
#[derive(Clone, Debug)]
pub struct OptionGroup {
    /// The heading of the group; empty if there is only one group.
    pub heading: &'static str,
    /// The options of the group.
    pub entries: Vec<OptionEntry>,
}

/// An option and the letters that its value may contain.
#[derive(Clone, Debug)]
pub struct OptionEntry {
    /// The definition of the option.
    pub flag: Flag,
    /// The letters of which the value consists; empty if it does not consist of letters.
    pub letters: Vec<OptionLetter>,
}

impl From<Flag> for OptionEntry {
    fn from(flag: Flag) -> Self {
        Self { flag, letters: Vec::new() }
    }
}

/// One letter of an option's value.
#[derive(Clone, Debug)]
pub struct OptionLetter {
    /// The letter itself.
    pub letter: char,
    /// The argument of the letter as the help shows it: empty, `NUM` or ` OID`.
    pub value: String,
    /// The text that describes the letter.
    pub help: &'static str,
}

/// A command of a program that has several commands.
#[derive(Clone, Debug)]
pub struct Command {
    /// The name of the command.
    pub name: &'static str,
    /// The arguments after the name.
    pub synopsis: &'static str,
    /// The text that describes the command.
    pub help: &'static str,
    /// The options of the command.
    pub options: Vec<OptionEntry>,
    /// The completion of the operands.
    pub operands: Completion,
}

/// A section of a page.
#[derive(Clone, Debug)]
pub struct Section {
    /// The heading of the section.
    pub heading: String,
    /// The text of the section.
    pub blocks: Vec<Block>,
}

impl Section {
    /// Creates a section.
    pub fn new(heading: impl Into<String>, blocks: impl IntoIterator<Item = Block>) -> Self {
        Self { heading: heading.into(), blocks: blocks.into_iter().collect() }
    }

    /// Creates the EXIT STATUS section from codes and their meanings.
    pub fn exit_status(table: &[(u8, &str)]) -> Self {
        let item = |(code, meaning): &(u8, &str)| Block::item(code.to_string(), *meaning);
        Self::new("EXIT STATUS", table.iter().map(item))
    }
}

/// A part of a page's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A paragraph.
    Text(String),
    /// A term and its explanation.
    Item {
        /// The term that is explained.
        term: String,
        /// The paragraphs of the explanation.
        text: Vec<String>,
    },
    /// Preformatted lines, such as commands.
    Code(String),
}

impl Block {
    /// Creates a paragraph.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// Creates a term with its explanation.
    pub fn item(term: impl Into<String>, text: impl Into<String>) -> Self {
        Self::Item { term: term.into(), text: vec![text.into()] }
    }

    /// Creates a block of preformatted lines.
    pub fn code(text: impl Into<String>) -> Self {
        Self::Code(text.into())
    }
}
