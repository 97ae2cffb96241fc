use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use portreeve_yang::{Module, Schema, SchemaBuilder};

use super::{
    COMPILED, SchemaFileError,
    compiler::{CompileError, Limits, compile},
    load_with,
};

fn limits() -> Limits {
    Limits { time: Duration::from_secs(20), output: 1000, messages: 100 }
}

/// Runs a script in the place of the compiler.
fn run(script: &str, limits: Limits) -> Result<Vec<u8>, CompileError> {
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("compiler");
    fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    compile(&program, &["/etc/a.yang".into(), "/etc/-b.yang".into()], limits)
}

#[test]
fn compiler_gets_the_modules_and_an_empty_environment() {
    let script = "echo \"$@\"; echo \"$HOME$USER$TMPDIR$LD_LIBRARY_PATH\"; pwd; cat";
    let output = run(script, limits()).unwrap();
    let text = String::from_utf8(output).unwrap();
    assert_eq!(text, "compile --shipped --out - -- /etc/a.yang /etc/-b.yang\n\n/\n");
}

#[test]
fn messages_of_a_failed_compiler_are_returned_up_to_a_limit() {
    let Err(CompileError::Rejected(messages)) =
        run("printf 'a.yang:3: bad\\033[1m\\n\\nb.yang:4: worse\\n' >&2; exit 1", limits())
    else {
        panic!("it succeeds")
    };
    assert_eq!(messages, ["a.yang:3: bad [1m", "b.yang:4: worse"]);
    let Err(CompileError::Rejected(messages)) =
        run("yes 'a.yang:3: bad' | head -c 1000000 >&2; exit 1", limits())
    else {
        panic!("it succeeds")
    };
    assert!(messages.len() < 10, "{messages:?}");
}

#[test]
fn compiler_that_takes_too_long_is_killed_with_its_children() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("pid");
    let start = Instant::now();
    let script = format!("sleep 100 & echo $! > {}; wait", file.display());
    let result = run(&script, Limits { time: Duration::from_secs(1), ..limits() });
    assert!(matches!(result, Err(CompileError::TimedOut(_))), "{result:?}");
    // The pipes are open until both processes have ended.
    assert!(start.elapsed() < Duration::from_secs(15));
    let child = fs::read_to_string(&file).unwrap();
    let state = fs::read_to_string(format!("/proc/{}/stat", child.trim()));
    assert!(state.is_err() || state.unwrap().contains(") Z "), "{child} runs");
}

#[test]
fn output_without_end_is_bounded() {
    let result = run("head -c 1001 /dev/zero", limits());
    assert!(matches!(result, Err(CompileError::TooLong(1000))), "{result:?}");
    assert_eq!(run("head -c 1000 /dev/zero", limits()).unwrap().len(), 1000);
    let result = run("cat /dev/zero", Limits { time: Duration::from_secs(1), ..limits() });
    assert!(matches!(result, Err(CompileError::TimedOut(_))), "{result:?}");
}

#[test]
fn killed_compiler_is_reported_as_such() {
    let result = run("kill -9 $$", limits());
    assert!(matches!(result, Err(CompileError::Killed(..))), "{result:?}");
    let result = compile(Path::new("/nonexistent/compiler"), &[], limits());
    assert!(matches!(result, Err(CompileError::NotRun(..))), "{result:?}");
}

fn schema(module: &str) -> Schema {
    let mut builder = SchemaBuilder::new();
    builder.add_module(Module::new(module, module, module));
    builder.build().unwrap()
}

#[test]
fn last_good_schema_is_used_if_modules_cannot_be_compiled() {
    let state = tempfile::tempdir().unwrap();
    let modules: Vec<PathBuf> = vec!["/etc/a.yang".into()];
    let failing = || Err(SchemaFileError::Compile(CompileError::Rejected(vec!["a.yang:1: bad".into()])));
    let error = load_with(&modules, state.path(), &failing).unwrap_err();
    assert_eq!(error.to_string(), "a.yang:1: bad");
    let loaded = load_with(&modules, state.path(), &|| Ok(schema("a").encode())).unwrap();
    assert_eq!((&loaded.schema, loaded.failure.is_none()), (&schema("a"), true));
    assert!(loaded.not_kept.is_none() && loaded.file == state.path().join(COMPILED));
    let loaded = load_with(&modules, state.path(), &failing).unwrap();
    assert_eq!((&loaded.schema, loaded.failure.is_some()), (&schema("a"), true));
    // Output that is not a schema does not replace the file.
    let loaded = load_with(&modules, state.path(), &|| Ok(b"nothing".to_vec())).unwrap();
    assert_eq!((&loaded.schema, loaded.failure.is_some()), (&schema("a"), true));
    let loaded = load_with(&modules, state.path(), &|| Ok(schema("b").encode())).unwrap();
    assert_eq!(loaded.schema, schema("b"));
    assert_eq!(fs::read_dir(state.path()).unwrap().count(), 1);
}

#[test]
fn schema_that_cannot_be_kept_is_served() {
    let state = Path::new("/nonexistent/state");
    let loaded = load_with(&["/etc/a.yang".into()], state, &|| Ok(schema("a").encode())).unwrap();
    assert!(matches!(loaded.not_kept, Some(SchemaFileError::NotWritten { .. })), "{:?}", loaded.not_kept);
}
