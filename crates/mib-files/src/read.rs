//! From texts to a resolved tree of modules, by `mib-rs`.
//!
//! Texts of our own definitions stand behind those of files, so that a file may import what only we define.

use std::{
    collections::HashMap,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
};

use mib_rs::{
    DiagnosticConfig, Loader, Mib, ReportingLevel, ResolverStrictness, Severity, Source, SourceCandidate,
    SourceOrigin,
};
use portreeve_mib::{export::export_smi, names};

use crate::{
    problem::{Problem, remedy},
    scan,
};

/// A file's text and what it defines.
#[derive(Clone)]
pub(crate) struct Text {
    pub(crate) path: String,
    pub(crate) octets: Vec<u8>,
    pub(crate) modules: Vec<String>,
}

impl Text {
    pub(crate) fn new(path: String, octets: Vec<u8>) -> Self {
        let modules = scan::module_names(&octets);
        Self { path, octets, modules }
    }
}

/// Reads `wanted` modules of `texts`, of which later ones take precedence, and what they import.
pub(crate) fn read(texts: Vec<Text>, wanted: &[String]) -> (Option<Mib>, Vec<Problem>) {
    let mut problems = Vec::new();
    let library = Library::new(texts);
    let known: Vec<String> = wanted.iter().filter(|name| library.has(name)).cloned().collect();
    for name in wanted.iter().filter(|name| !library.has(name) && names::module(name).is_none()) {
        problems.push(Problem::missing_module(name));
    }
    if known.is_empty() {
        return (None, problems);
    }
    let mib = parse(&library, &known).or_else(|| without_the_worst(&library, known, &mut problems));
    if let Some(mib) = &mib {
        problems.extend(told(mib));
    }
    (mib, problems)
}

/// The files and what they define.
#[derive(Clone)]
struct Library {
    by_module: HashMap<String, SourceCandidate>,
}

impl Library {
    fn new(texts: Vec<Text>) -> Self {
        let mut by_module = HashMap::new();
        for text in texts {
            let origin = SourceOrigin::file(&text.path);
            let candidate = SourceCandidate::new(text.path.clone(), origin, text.path, text.octets);
            by_module.extend(text.modules.into_iter().map(|module| (module, candidate.clone())));
        }
        Self { by_module }
    }

    fn has(&self, module: &str) -> bool {
        self.by_module.contains_key(module)
    }

    fn path_of(&self, module: &str) -> &str {
        self.by_module.get(module).map_or("", SourceCandidate::label)
    }
}

impl Source for Library {
    fn find(&self, name: &str) -> io::Result<Option<SourceCandidate>> {
        Ok(self.by_module.get(name).cloned())
    }

    fn list_modules(&self) -> io::Result<Vec<String>> {
        Ok(self.by_module.keys().cloned().collect())
    }
}

/// Our own definitions as text.
struct BuiltIn;

impl Source for BuiltIn {
    fn find(&self, name: &str) -> io::Result<Option<SourceCandidate>> {
        // These define SMI itself: the reader has them, with all their macros.
        if matches!(name, "SNMPv2-SMI" | "SNMPv2-TC" | "SNMPv2-CONF") {
            return Ok(None);
        }
        Ok(names::module(name).map(|module| {
            let origin = SourceOrigin::memory(module.name);
            SourceCandidate::new(module.name, origin, module.name, export_smi(module).into_bytes())
        }))
    }

    fn list_modules(&self) -> io::Result<Vec<String>> {
        Ok(Vec::new())
    }
}

/// `None` where the reader gave up; its reason would show whole files, so it is not told.
fn parse(library: &Library, wanted: &[String]) -> Option<Mib> {
    let diagnostics = DiagnosticConfig {
        reporting: ReportingLevel::Quiet,
        fail_at: Severity::Fatal,
        ..DiagnosticConfig::default()
    };
    let loader = Loader::new()
        .source(Box::new(library.clone()))
        .source(Box::new(BuiltIn))
        .modules(wanted.iter().cloned())
        .resolver_strictness(ResolverStrictness::Permissive)
        .diagnostic_config(diagnostics)
        .parallelism(1);
    catch_unwind(AssertUnwindSafe(|| loader.load())).ok()?.ok()
}

/// Leaves out each module that cannot even be read alone.
fn without_the_worst(library: &Library, wanted: Vec<String>, problems: &mut Vec<Problem>) -> Option<Mib> {
    let (good, bad): (Vec<String>, Vec<String>) =
        wanted.into_iter().partition(|name| parse(library, std::slice::from_ref(name)).is_some());
    problems.extend(bad.iter().map(|name| {
        Problem::of_file(library.path_of(name), format!("{name} cannot be read"), "the other modules are")
    }));
    parse(library, &good)
}

/// What the reader has found in files, a few lines for each.
fn told(mib: &Mib) -> Vec<Problem> {
    let mut told: Vec<Problem> = Vec::new();
    let report = mib.diagnostic_report();
    for entry in report.iter() {
        let Ok(Some((source, _))) = entry.range() else { continue };
        let SourceOrigin::File { .. } = source.origin() else { continue };
        let Some(instead) = remedy(entry.diagnostic().code.as_code()) else { continue };
        let line =
            entry.byte_positions().ok().flatten().map_or(0, |(start, _)| start.line().saturating_add(1));
        let diagnostic = entry.diagnostic();
        told.push(Problem {
            path: source.label().to_owned(),
            line,
            what: diagnostic.message.chars().take(LONGEST_MESSAGE).collect(),
            instead: instead.to_owned(),
        });
    }
    told.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
    told.dedup();
    shorten(told)
}

/// At most so many lines for each file, and one that counts the others.
fn shorten(problems: Vec<Problem>) -> Vec<Problem> {
    let mut short = Vec::new();
    for of_file in problems.chunk_by(|a, b| a.path == b.path) {
        short.extend(of_file.iter().take(LINES_PER_FILE).cloned());
        if let (Some(first), more @ 1..) = (of_file.first(), of_file.len().saturating_sub(LINES_PER_FILE)) {
            short.push(Problem::of_file(&first.path, format!("{more} more of this kind"), ""));
        }
    }
    short
}

const LINES_PER_FILE: usize = 10;
const LONGEST_MESSAGE: usize = 300;
