//! Parses texts into a resolved tree of modules with `mib-rs`.
//!
//! The built-in definitions are the last source, so that a file may import symbols that only they
//! define.

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
    prune, scan,
    warning::{LoadWarning, consequence_of},
};

/// A file's text and the modules that it defines.
#[derive(Clone)]
pub(crate) struct MibText {
    pub(crate) path: String,
    pub(crate) octets: Vec<u8>,
    pub(crate) modules: Vec<String>,
}

impl MibText {
    pub(crate) fn new(path: String, octets: Vec<u8>) -> Self {
        let modules = scan::module_names(&octets);
        Self { path, octets, modules }
    }
}

/// Reads the `wanted` modules of `texts` and their imports; later texts take precedence.
pub(crate) fn read(mut texts: Vec<MibText>, names_to_load: &[String]) -> (Option<Mib>, Vec<LoadWarning>) {
    let mut warnings = prune::remove_long_chains(&mut texts, names_to_load);
    let library = FileLibrary::new(texts);
    let known: Vec<String> = names_to_load.iter().filter(|name| library.contains(name)).cloned().collect();
    for name in names_to_load.iter().filter(|name| !library.contains(name) && names::module(name).is_none()) {
        warnings.push(LoadWarning::missing_module(name));
    }
    if known.is_empty() {
        return (None, warnings);
    }
    let mib = parse(&library, &known).or_else(|| parse_without_unreadable(&library, known, &mut warnings));
    if let Some(mib) = &mib {
        warnings.extend(collect_warnings(mib));
    }
    (mib, warnings)
}

/// The files, found by the modules that they define.
#[derive(Clone)]
struct FileLibrary {
    by_module: HashMap<String, SourceCandidate>,
}

impl FileLibrary {
    fn new(texts: Vec<MibText>) -> Self {
        let mut by_module = HashMap::new();
        for text in texts {
            let origin = SourceOrigin::file(&text.path);
            let candidate = SourceCandidate::new(text.path.clone(), origin, text.path, text.octets);
            by_module.extend(text.modules.into_iter().map(|module| (module, candidate.clone())));
        }
        Self { by_module }
    }

    fn contains(&self, module: &str) -> bool {
        self.by_module.contains_key(module)
    }

    fn path_of(&self, module: &str) -> &str {
        self.by_module.get(module).map_or("", SourceCandidate::label)
    }
}

impl Source for FileLibrary {
    fn find(&self, name: &str) -> io::Result<Option<SourceCandidate>> {
        Ok(self.by_module.get(name).cloned())
    }

    fn list_modules(&self) -> io::Result<Vec<String>> {
        Ok(self.by_module.keys().cloned().collect())
    }
}

/// The built-in definitions, as SMIv2 text.
struct BuiltInSource;

impl Source for BuiltInSource {
    fn find(&self, name: &str) -> io::Result<Option<SourceCandidate>> {
        // The parser itself defines these modules of SMI, with all macros, so they are not
        // exported.
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

/// Returns `None` if the parser failed. Its error is not reported because it would contain whole
/// files.
fn parse(library: &FileLibrary, names_to_load: &[String]) -> Option<Mib> {
    let diagnostics = DiagnosticConfig {
        reporting: ReportingLevel::Quiet,
        fail_at: Severity::Fatal,
        ..DiagnosticConfig::default()
    };
    let loader = Loader::new()
        .source(Box::new(library.clone()))
        .source(Box::new(BuiltInSource))
        .modules(names_to_load.iter().cloned())
        .resolver_strictness(ResolverStrictness::Permissive)
        .diagnostic_config(diagnostics)
        .parallelism(1);
    catch_unwind(AssertUnwindSafe(|| loader.load())).ok()?.ok()
}

/// Parses all modules except those that cannot be parsed even alone.
fn parse_without_unreadable(
    library: &FileLibrary,
    names_to_load: Vec<String>,
    warnings: &mut Vec<LoadWarning>,
) -> Option<Mib> {
    let (good, bad): (Vec<String>, Vec<String>) =
        names_to_load.into_iter().partition(|name| parse(library, std::slice::from_ref(name)).is_some());
    warnings.extend(bad.iter().map(|name| {
        LoadWarning::of_file(
            library.path_of(name),
            format!("cannot read {name}"),
            "loading the other modules",
        )
    }));
    parse(library, &good)
}

/// Returns the diagnostics of the parser, limited to a few lines per file.
fn collect_warnings(mib: &Mib) -> Vec<LoadWarning> {
    let mut collect_warnings: Vec<LoadWarning> = Vec::new();
    let report = mib.diagnostic_report();
    for entry in report.iter() {
        let Ok(Some((source, _))) = entry.range() else { continue };
        let SourceOrigin::File { .. } = source.origin() else { continue };
        let Some(consequence) = consequence_of(entry.diagnostic().code.as_code()) else { continue };
        let line =
            entry.byte_positions().ok().flatten().map_or(0, |(start, _)| start.line().saturating_add(1));
        let diagnostic = entry.diagnostic();
        collect_warnings.push(LoadWarning {
            path: source.label().to_owned(),
            line,
            message: diagnostic.message.chars().take(MAX_MESSAGE_LEN).collect(),
            consequence: consequence.to_owned(),
        });
    }
    collect_warnings.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
    collect_warnings.dedup();
    limit_per_file(collect_warnings)
}

/// Keeps at most [`MAX_WARNINGS_PER_FILE`] warnings per file, and adds one that contains the number
/// of omitted warnings.
fn limit_per_file(warnings: Vec<LoadWarning>) -> Vec<LoadWarning> {
    let mut short = Vec::new();
    for of_file in warnings.chunk_by(|a, b| a.path == b.path) {
        short.extend(of_file.iter().take(MAX_WARNINGS_PER_FILE).cloned());
        if let (Some(first), more @ 1..) =
            (of_file.first(), of_file.len().saturating_sub(MAX_WARNINGS_PER_FILE))
        {
            short.push(LoadWarning::of_file(&first.path, format!("{more} more warnings"), ""));
        }
    }
    short
}

const MAX_WARNINGS_PER_FILE: usize = 10;
const MAX_MESSAGE_LEN: usize = 300;
