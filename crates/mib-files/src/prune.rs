//! Removes definitions that are circular or at the end of a long chain, before they are resolved.
//!
//! `mib-rs` stores the whole identifier of each node and follows references recursively. A chain of
//! definitions in a text of a few megabytes would take gigabytes, or overflow the stack.

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
    panic::{AssertUnwindSafe, catch_unwind},
};

use mib_rs::{
    DiagnosticConfig, ReportingLevel, SourceOrigin, SourceSet,
    compile::{
        ast::{Definition, Module, OidAssignment, OidComponent, TypeSyntax},
        parser,
    },
};

use crate::{
    extract::{MAX_CHAIN_LEN, MAX_OID_LEN},
    read::MibText,
    warning::LoadWarning,
};

/// Replaces definitions by spaces if they are circular or at the end of a long chain. Covers all
/// texts that are read when the modules `names` are loaded.
pub(crate) fn remove_long_chains(texts: &mut [MibText], names: &[String]) -> Vec<LoadWarning> {
    let graph = Graph::of(texts, names);
    let mut removed: HashMap<usize, usize> = HashMap::new();
    for definition in graph.too_long() {
        let Some(text) = texts.get_mut(definition.text) else { continue };
        for octet in text.octets.get_mut(definition.place.clone()).unwrap_or_default() {
            // Line breaks are not overwritten, so that line numbers stay the same.
            if *octet != b'\n' {
                *octet = b' ';
            }
        }
        *removed.entry(definition.text).or_default() += 1;
    }
    let warning = |(number, text): (usize, &MibText)| {
        let count = removed.get(&number)?;
        let message =
            format!("{count} definitions are circular, or refer to a chain of too many other definitions");
        Some(LoadWarning::of_file(&text.path, message, "skipping these definitions"))
    };
    texts.iter().enumerate().filter_map(warning).collect()
}

/// All definitions of nodes and types, and the names to which they refer.
#[derive(Default)]
struct Graph {
    definitions: Vec<ChainLink>,
    /// Numbers for names. Each name has two numbers: one for the name within its module, and one
    /// for the name in any module. The second is used if a name is not imported.
    names: HashMap<(Option<String>, String), usize>,
}

struct ChainLink {
    text: usize,
    place: Range<usize>,
    /// The two numbers of the name that is defined.
    names: [usize; 2],
    /// The numbers of the names to which the definition refers.
    parents: Vec<usize>,
    /// The length that the definition adds to a chain: its sub-identifiers, or one type.
    own_len: usize,
    /// The maximum length of the chains that end with this definition.
    max_len: usize,
}

impl Graph {
    /// Reads the texts that define the modules, and the texts from which these import.
    fn of(texts: &[MibText], names: &[String]) -> Self {
        let mut by_module: HashMap<&str, usize> = HashMap::new();
        for (number, text) in texts.iter().enumerate() {
            by_module.extend(text.modules.iter().map(|name| (name.as_str(), number)));
        }
        let mut graph = Self::default();
        let mut waiting: Vec<usize> =
            names.iter().filter_map(|name| by_module.get(&**name)).copied().collect();
        let mut seen = HashSet::new();
        while let Some(number) = waiting.pop() {
            if !seen.insert(number) {
                continue;
            }
            let Some(text) = texts.get(number) else { continue };
            for module in modules(text) {
                let sources = module.imports.iter().map(|import| &*import.from_module.name);
                waiting.extend(sources.filter_map(|name| by_module.get(name)));
                graph.add(number, &module);
            }
        }
        graph
    }

    fn add(&mut self, text: usize, module: &Module) {
        let Some(own) = &module.name else { return };
        let sources: HashMap<&str, &str> = module
            .imports
            .iter()
            .flat_map(|import| import.symbols.iter().map(|symbol| (&*symbol.name, &*import.from_module.name)))
            .collect();
        let defined: HashSet<&str> =
            module.body.iter().filter_map(|definition| Some(&*definition.name()?.name)).collect();
        for definition in &module.body {
            let (Some(name), Some(references)) = (definition.name(), References::of(definition)) else {
                continue;
            };
            let names = [Some(&*own.name), None].map(|module| self.number(module, &name.name));
            let References { names: referred, own_len, max_len } = references;
            let parents = referred.into_iter().map(|(module, name)| {
                let local = defined.contains(name).then_some(&*own.name);
                self.number(module.or(local).or_else(|| sources.get(name).copied()), name)
            });
            let parents = parents.collect();
            let place = definition.span().byte_range();
            self.definitions.push(ChainLink { text, place, names, parents, own_len, max_len });
        }
    }

    fn number(&mut self, module: Option<&str>, name: &str) -> usize {
        let next = self.names.len();
        *self.names.entry((module.map(str::to_owned), name.to_owned())).or_insert(next)
    }

    /// Returns the definitions at the end of a chain that is too long. Each round increases the
    /// known length of at least one chain or circle. The lengths are limited, so there are few
    /// rounds.
    fn too_long(&self) -> impl Iterator<Item = &ChainLink> {
        let mut lengths = vec![0; self.names.len()];
        let length_of = |lengths: &[usize], definition: &ChainLink| {
            let parents = definition.parents.iter().filter_map(|name| lengths.get(*name));
            (parents.max().copied().unwrap_or_default() + definition.own_len).min(definition.max_len + 1)
        };
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for definition in &self.definitions {
                let length = length_of(&lengths, definition);
                for name in definition.names {
                    if let Some(known) = lengths.get_mut(name).filter(|known| **known < length) {
                        *known = length;
                        has_changed = true;
                    }
                }
            }
        }
        self.definitions.iter().filter(move |definition| length_of(&lengths, definition) > definition.max_len)
    }
}

/// Parses a text. Returns no modules if the parser fails, because the same failure is handled when
/// the text is loaded.
fn modules(text: &MibText) -> Vec<Module> {
    let diagnostics = DiagnosticConfig { reporting: ReportingLevel::Quiet, ..DiagnosticConfig::default() };
    let mut sources = SourceSet::new();
    let source = sources.insert(SourceOrigin::file(&text.path), &*text.path, (&*text.octets).into());
    let Some(document) = source.ok().and_then(|id| sources.get(id)) else { return Vec::new() };
    catch_unwind(AssertUnwindSafe(|| parser::parse(document, &diagnostics))).unwrap_or_default()
}

/// The names to which a definition refers, with their modules if these are given.
struct References<'a> {
    names: Vec<(Option<&'a str>, &'a str)>,
    own_len: usize,
    max_len: usize,
}

impl<'a> References<'a> {
    fn of(definition: &'a Definition) -> Option<Self> {
        match definition {
            Definition::ObjectType(it) => Some(Self::of_oid(&it.oid)),
            Definition::ModuleIdentity(it) => Some(Self::of_oid(&it.oid)),
            Definition::ObjectIdentity(it) => Some(Self::of_oid(&it.oid)),
            Definition::NotificationType(it) => Some(Self::of_oid(&it.oid)),
            Definition::ValueAssignment(it) => Some(Self::of_oid(&it.oid)),
            Definition::ObjectGroup(it) => Some(Self::of_oid(&it.oid)),
            Definition::NotificationGroup(it) => Some(Self::of_oid(&it.oid)),
            Definition::ModuleCompliance(it) => Some(Self::of_oid(&it.oid)),
            Definition::AgentCapabilities(it) => Some(Self::of_oid(&it.oid)),
            Definition::TextualConvention(it) => Self::of_type(&it.syntax.syntax),
            Definition::TypeAssignment(it) => Self::of_type(&it.syntax),
            Definition::TrapType(_) | Definition::MacroDefinition(_) | Definition::Error(_) => None,
        }
    }

    fn of_oid(oid: &'a OidAssignment) -> Self {
        let names = oid.components.iter().filter_map(reference).collect();
        let own_len = oid.components.len().saturating_sub(1).max(1);
        Self { names, own_len, max_len: MAX_OID_LEN }
    }

    fn of_type(syntax: &'a TypeSyntax) -> Option<Self> {
        let mut syntax = syntax;
        let base = loop {
            match syntax {
                TypeSyntax::Constrained { base, .. } | TypeSyntax::Tagged { underlying: base, .. } => {
                    syntax = base
                }
                TypeSyntax::TypeRef(base) | TypeSyntax::IntegerEnum { base: Some(base), .. } => break base,
                _ => return None,
            }
        };
        Some(Self { names: vec![(None, &*base.name)], own_len: 1, max_len: MAX_CHAIN_LEN })
    }
}

/// Returns the name to which a part of an identifier refers, with its module if that is given.
fn reference(component: &OidComponent) -> Option<(Option<&str>, &str)> {
    match component {
        OidComponent::Name(name) | OidComponent::NamedNumber { name, .. } => Some((None, &name.name)),
        OidComponent::QualifiedName { module_name, name, .. }
        | OidComponent::QualifiedNamedNumber { module_name, name, .. } => {
            Some((Some(&module_name.name), &name.name))
        }
        OidComponent::Number { .. } => None,
    }
}
