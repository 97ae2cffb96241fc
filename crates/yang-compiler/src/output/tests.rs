use std::{fs, os::unix::fs::PermissionsExt};

use portreeve_yang::{Module, SchemaBuilder};

use super::{read, save, write};
use crate::fixture::{Fixture, compile_body};

#[test]
fn written_schema_is_read_again() {
    let fixture = Fixture::new(&[]);
    let schema = compile_body("leaf a { type string; }");
    let path = fixture.path("a.schema");
    write(&path, &schema.encode()).unwrap();
    assert_eq!(read(&path).unwrap(), schema);
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o644);
}

#[test]
fn existing_file_is_replaced_and_nothing_else_remains() {
    let fixture = Fixture::new(&[("a.schema", "old")]);
    write(&fixture.path("a.schema"), b"new").unwrap();
    assert_eq!(fs::read(fixture.path("a.schema")).unwrap(), b"new");
    assert_eq!(fs::read_dir(fixture.directory.path()).unwrap().count(), 1);
}

#[test]
fn failure_to_write_names_file() {
    let fixture = Fixture::new(&[]);
    let path = fixture.path("missing/a.schema");
    let problem = write(&path, b"new").unwrap_err();
    let expected = format!("{}: cannot be written: No such file or directory (os error 2)", path.display());
    assert_eq!(problem.to_string(), expected);
}

#[test]
fn damaged_file_is_rejected_with_its_name() {
    let fixture = Fixture::new(&[("a.schema", "not a schema")]);
    let problem = read(&fixture.path("a.schema")).unwrap_err();
    assert!(
        problem.to_string().starts_with(&format!("{}: ", fixture.path("a.schema").display())),
        "{problem}"
    );
}

#[test]
fn schema_that_the_agent_would_refuse_replaces_no_file() {
    let fixture = Fixture::new(&[("a.schema", "old")]);
    let mut builder = SchemaBuilder::new();
    for name in ["a", "b", "c", "d"] {
        let text = " ".repeat(portreeve_yang::MAX_MODULE_TEXT).into();
        builder.add_module(Module { text, ..Module::new(name, name, name) });
    }
    let path = fixture.path("a.schema");
    let problem = save(&path, &builder.build().unwrap()).unwrap_err();
    assert!(problem.to_string().contains("longer than 64 MiB"), "{problem}");
    assert_eq!(fs::read(&path).unwrap(), b"old");
}
