//! Modules for tests, written to a temporary directory.

use std::{fs, path::PathBuf};

use portreeve_yang::{NodeId, Schema, Type, TypeKind};
use tempfile::TempDir;

use crate::{CompileRequest, Problem, compile};

/// A directory with files.
pub(crate) struct Fixture {
    pub(crate) directory: TempDir,
}

impl Fixture {
    /// Creates files with these names and contents.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(directory.path().join(name), text).unwrap();
        }
        Self { directory }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Requests modules by name from the directory.
    pub(crate) fn request(&self, modules: &[&str]) -> CompileRequest {
        CompileRequest {
            modules: modules.iter().map(|module| (*module).to_owned()).collect(),
            directories: vec![self.directory.path().to_owned()],
            ..CompileRequest::default()
        }
    }

    pub(crate) fn compile(&self, modules: &[&str]) -> Result<Schema, Vec<Problem>> {
        compile(&self.request(modules))
    }

    /// Compiles modules, and returns each problem as it is printed, without the directory.
    pub(crate) fn problems(&self, modules: &[&str]) -> Vec<String> {
        let problems = self.compile(modules).unwrap_err();
        let directory = format!("{}/", self.directory.path().display());
        problems.iter().map(|problem| problem.to_string().replace(&directory, "")).collect()
    }
}

/// Compiles a module with this body, whose name and prefix are `m`.
pub(crate) fn compile_body(body: &str) -> Schema {
    let fixture = Fixture::new(&[("m.yang", &module("m", body))]);
    fixture.compile(&["m"]).unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// Returns the text of a module in YANG 1.1 whose prefix is its name.
pub(crate) fn module(name: &str, body: &str) -> String {
    format!(
        "module {name} {{\n  yang-version 1.1;\n  namespace \"urn:{name}\";\n  prefix {name};\n{body}\n}}\n"
    )
}

/// Finds a node by the names on the way to it, which are separated by slashes; choices and cases
/// count.
pub(crate) fn find(schema: &Schema, path: &str) -> NodeId {
    let mut at = NodeId::ROOT;
    for name in path.split('/') {
        let children = schema.children(at);
        let found = children.iter().find(|id| *schema.node(**id).name == *name);
        at = *found.unwrap_or_else(|| panic!("no {name} in {path}"));
    }
    at
}

/// Returns the type of a leaf or leaf-list.
pub(crate) fn type_at<'s>(schema: &'s Schema, path: &str) -> &'s Type {
    schema.value_type(schema.type_of(find(schema, path)).unwrap())
}

/// Returns the built-in type of a leaf or leaf-list.
pub(crate) fn kind_at<'s>(schema: &'s Schema, path: &str) -> &'s TypeKind {
    &type_at(schema, path).kind
}
