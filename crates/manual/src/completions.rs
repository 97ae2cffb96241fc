//! Shell completions: the same command tree for bash, zsh and fish.

mod bash;
mod fish;
mod zsh;

use portreeve_usage::{Completion, OptionEntry, Page};

/// A program, or one of its commands.
struct CommandNode {
    /// The words of the command line from the program to this command.
    path: Vec<String>,
    summary: String,
    options: Vec<OptionEntry>,
    operands: Completion,
    commands: Vec<CommandNode>,
}

impl CommandNode {
    /// Returns this node and all nodes below it.
    fn all(&self) -> Vec<&Self> {
        let below = self.commands.iter().flat_map(Self::all);
        std::iter::once(self).chain(below).collect()
    }

    fn name(&self) -> &str {
        self.path.last().map_or("", String::as_str)
    }
}

/// Returns the completion files of all shells, for every program that is installed on the PATH.
pub(crate) fn files(pages: &[Page]) -> Vec<(String, String)> {
    // Programs with a hyphen in their name are run by `portreeve` or sshd, not by users.
    let programs = pages.iter().filter(|page| page.manual_section != 5 && !page.name.contains([' ', '-']));
    let render = |page| {
        let root = tree(page, pages);
        let name = root.name();
        [
            (format!("completions/bash/{name}"), bash::render(&root)),
            (format!("completions/zsh/_{name}"), zsh::render(&root)),
            (format!("completions/fish/{name}.fish"), fish::render(&root)),
        ]
    };
    programs.flat_map(render).collect()
}

/// Builds the command tree of a program. Commands with their own page are taken from that page.
fn tree(page: &Page, pages: &[Page]) -> CommandNode {
    let commands = page.commands.iter().map(|command| {
        let name = format!("{} {}", page.name, command.name);
        match pages.iter().find(|page| page.name == name) {
            Some(page) => tree(page, pages),
            None => CommandNode {
                path: words(&name),
                summary: command.help.to_owned(),
                options: command.options.clone(),
                operands: command.operands.clone(),
                commands: Vec::new(),
            },
        }
    });
    CommandNode {
        path: words(&page.name),
        summary: page.summary.clone(),
        options: page.options.iter().flat_map(|group| group.entries.clone()).collect(),
        operands: page.operands.clone(),
        commands: commands.collect(),
    }
}

fn words(name: &str) -> Vec<String> {
    name.split(' ').map(str::to_owned).collect()
}
