//! Compiles modules to a schema.

use std::{ffi::CString, path::PathBuf, rc::Rc};

use portreeve_yang::Schema;

use crate::{
    Problem,
    convert::convert,
    files::{ModuleFile, ModuleFiles},
    libyang::{Context, Features, Message},
    locate::Locator,
    served,
    shipped::{self, SHIPPED, ShippedModule},
};

/// The modules to compile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompileRequest {
    /// The modules to implement: paths of files, or names of modules in one of the directories.
    pub modules: Vec<String>,
    /// Implement the modules that the agent serves itself as well.
    pub shipped: bool,
    /// The directories in which modules are looked for. The directories of files in `modules` come
    /// after them, and the directory of the shipped modules comes last.
    pub directories: Vec<PathBuf>,
    /// The features to enable, by the name of their module. All features of other modules in
    /// `modules` are enabled.
    pub features: Vec<(String, Vec<String>)>,
}

/// Compiles modules.
///
/// # Errors
/// Returns all problems, each with its place.
pub fn compile(request: &CompileRequest) -> Result<Schema, Vec<Problem>> {
    compile_in_context(request).map(|(_, schema)| schema)
}

/// Compiles modules, and returns what libyang knows of them as well.
pub(crate) fn compile_in_context(request: &CompileRequest) -> Result<(Context, Schema), Vec<Problem>> {
    let mut files = ModuleFiles::new(request.directories.clone());
    let (mut names, mut problems) = (Vec::new(), Vec::new());
    for module in &request.modules {
        if module.contains('/') || module.ends_with(".yang") {
            match files.add_file(module.as_ref()) {
                Ok(name) if request.shipped && SHIPPED.iter().any(|shipped| shipped.name == name) => {
                    let text = format!("portreeved serves its own {name}: remove this file from the modules");
                    problems.push(Problem::in_file(module.as_ref(), text));
                }
                Ok(name) => names.push(name),
                Err(problem) => problems.push(problem),
            }
        } else {
            names.push(module.clone());
        }
    }
    shipped::OWN_TEXTS.iter().for_each(|text| files.add_own(text));
    let directories = shipped::directories();
    if request.shipped && directories.is_empty() {
        shipped::compiled_texts().iter().for_each(|text| files.add_own(text));
    }
    files.set_shipped(directories, request.shipped);
    let shipped = if request.shipped { &SHIPPED[..] } else { &[] };
    // Modules of operators may deviate ours, so that ours come first.
    let ours = shipped.iter().map(|module| module.name.to_owned()).filter(|name| !names.contains(name));
    names = ours.chain(names.iter().cloned()).collect();
    if let Some((module, _)) = request.features.iter().find(|(module, _)| !names.contains(module)) {
        problems
            .push(Problem::new(format!("features of {module}, which is not one of the modules to compile")));
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let files = Rc::new(files);
    let unplaced = |message: Message| Problem::new(message.text);
    let mut context = Context::new(Rc::clone(&files) as _)
        .map_err(|messages| messages.into_iter().map(unplaced).collect::<Vec<_>>())?;
    let built_in: Vec<_> = context.modules().map(|module| module.name().to_owned()).collect();
    for name in &names {
        let features = features(request, name)?;
        let raw = CString::new(name.as_str())
            .map_err(|_| vec![Problem::new(format!("invalid name of a module: {name:?}"))])?;
        if let Err(messages) = context.implement(&raw, &features) {
            return Err(place(&files, name, &messages));
        }
    }
    let schema = convert(&context, &files, &names, &built_in)?;
    let refused = if request.shipped { served::refused(&schema, &files) } else { Vec::new() };
    if refused.is_empty() { Ok((context, schema)) } else { Err(refused) }
}

fn features(request: &CompileRequest, module: &str) -> Result<Features, Vec<Problem>> {
    let stated: Vec<_> = request.features.iter().filter(|(name, _)| name == module).collect();
    let stated =
        (!stated.is_empty()).then(|| stated.into_iter().flat_map(|(_, names)| names.clone()).collect());
    let is_shipped = |shipped: &&ShippedModule| request.shipped && shipped.name == module;
    let ours = SHIPPED.iter().find(is_shipped);
    let ours = ours.map(|shipped| shipped.features.iter().map(|name| (*name).to_owned()).collect());
    let Some(names): Option<Vec<String>> = stated.or(ours) else { return Ok(Features::All) };
    let names = names.iter().map(|name| {
        CString::new(name.as_str())
            .map_err(|_| vec![Problem::new(format!("invalid name of a feature: {name:?}"))])
    });
    names.collect::<Result<_, _>>().map(Features::Only)
}

/// Returns libyang's errors with their places.
fn place(files: &ModuleFiles, requested: &str, messages: &[Message]) -> Vec<Problem> {
    let read = files.files();
    let locator = Locator::new(read.clone());
    let mut problems = files.take_problems();
    let errors: Vec<_> = messages.iter().filter(|message| message.is_error).collect();
    for (at, message) in errors.iter().enumerate() {
        if parsed_module(message).is_some() {
            continue;
        }
        // libyang reports a fault, and then which module could not be parsed because of it.
        let failed = errors.iter().skip(at).find_map(|message| parsed_module(message));
        let named = |name: &str| read.iter().rev().find(|file| file.name() == Some(name));
        let file: Option<&Rc<ModuleFile>> = match failed {
            Some(name) => named(name),
            None if message.line.is_some() => read.last(),
            None => named(requested),
        };
        problems.push(locator.problem(message, file.map(|file| &**file)));
    }
    if problems.is_empty() {
        problems.push(Problem::new(format!("the module {requested} cannot be compiled")));
    }
    problems
}

/// Returns the name of the module in a message that only says that it could not be parsed.
fn parsed_module(message: &Message) -> Option<&str> {
    let text = message.text.strip_prefix("Parsing ")?;
    text.strip_prefix("module ").or_else(|| text.strip_prefix("submodule "))?.split('"').nth(1)
}

#[cfg(test)]
mod tests;
