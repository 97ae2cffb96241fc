//! libyang as the oracle: its tree diagrams and the targets that it finds for leafrefs.

use std::{ffi::CString, rc::Rc};

use portreeve_yang::{NodeId, TypeKind};

use crate::{
    files::ModuleFiles,
    fixture::{Fixture, module},
    libyang::{Context, Features, Node},
    show,
};

/// Removes what one of the two diagrams shows and the other does not: prefixes, features,
/// alignment, and the flags of notifications, for which RFC 8340 has `ro`.
fn normalize(diagram: &str) -> Vec<String> {
    let line = |line: &str| {
        let words = line.replace("----", "--ro").replace('|', " ");
        let words = words.split_whitespace().filter(|word| !word.starts_with('{'));
        let words: Vec<_> =
            words.map(|word| word.rsplit(':').next().unwrap_or_default().to_owned()).collect();
        let line = words.join(" ");
        if line.starts_with('(') { line.trim_end_matches('?').to_owned() } else { line.replace(" []", "") }
    };
    diagram.lines().map(line).filter(|line| !line.is_empty()).collect()
}

const SHAPE: &str = "
  import ietf-inet-types { prefix inet; }
  feature f;
  typedef t { type string; }
  container c {
    presence p;
    leaf x { type t; mandatory true; }
    leaf y { type inet:ip-address; default '::1'; }
    leaf z { type leafref { path '../x'; } }
    leaf-list ll { type int8; ordered-by user; }
    list l {
      key 'k m';
      leaf k { type int8; }
      leaf m { type string; }
      action reset { input { leaf delay { type uint8; } } output { leaf ok { type empty; } } }
      notification gone { leaf why { type string; } }
    }
    choice ch { case a { leaf a1 { type string; } } container b { leaf b1 { if-feature f; type string; } } }
    leaf state { config false; type string; status deprecated; }
    anydata any;
    list keyless { config false; leaf q { type string; } }
  }
  choice top { mandatory true; leaf one { type string; } anyxml two { mandatory true; } }
  rpc do { input { leaf i { type string; mandatory true; } } }
  rpc nothing;
  notification n { leaf q { type union { type int8; type string; } } container d { leaf e { type bits { bit x; } } } }";

#[test]
fn diagram_equals_that_of_libyang() {
    let fixture = Fixture::new(&[("shape.yang", &module("shape", SHAPE))]);
    let files = Rc::new(ModuleFiles::new(vec![fixture.directory.path().to_owned()]));
    let mut context = Context::new(files).unwrap();
    context.implement(c"shape", &Features::All).unwrap();
    let theirs = context.modules().find(|module| module.name() == "shape").unwrap().print_tree().unwrap();
    let shown = show::show(&fixture.compile(&["shape"]).unwrap());
    let ours = shown.split_once("module: shape").unwrap().1;
    let theirs = theirs.split_once("module: shape").unwrap().1;
    assert_eq!(normalize(ours), normalize(theirs), "{ours}\n{theirs}");
}

/// Every form of a leafref's path, in places where the nodes above it are not all data.
const PATHS: &str = "
  container a { list l { key k; leaf k { type string; } leaf v { type string; }
    container in { leaf r1 { type leafref { path '../../v'; } } leaf r2 { type leafref { path '/p:a/l/k'; } } } } }
  choice c { case x { container d { choice e { leaf r3 { type leafref { path '../../one'; } } } } } }
  leaf one { type string; }
  leaf key { type leafref { path '/a/l/k'; } }
  leaf r4 { type leafref { path '/a/l[k = current()/../key]/v'; } }
  typedef ref { type leafref { path '../one'; } }
  leaf r5 { type ref; }
  container b { leaf one { type string; } leaf r6 { type ref; } leaf-list r7 { type leafref { path '../../one'; } } }
  rpc do { input { leaf x { type string; } leaf r8 { type leafref { path '../x'; } } container y { leaf r9 { type leafref { path '../../x'; } } } }
    output { leaf x { type string; } leaf r10 { type leafref { path '../x'; } } leaf r11 { type leafref { path '/one'; } } } }
  notification n { leaf x { type string; } leaf r12 { type leafref { path '../x'; } } }
  grouping g { leaf target { type string; } leaf r13 { type leafref { path '../target'; } } }
  container u1 { uses g; }
  container u2 { uses g; }
  augment /a { leaf r14 { type leafref { path '../l/v'; } } }";

#[test]
fn leafref_targets_equal_those_of_libyang() {
    let fixture = Fixture::new(&[("p.yang", &module("p", PATHS))]);
    let files = Rc::new(ModuleFiles::new(vec![fixture.directory.path().to_owned()]));
    let mut context = Context::new(files).unwrap();
    context.implement(c"p", &Features::All).unwrap();
    let schema = fixture.compile(&["p"]).unwrap();
    let module = context.modules().find(|module| module.name() == "p").unwrap();
    let mut below = module.nodes();
    let mut count = 0;
    while let Some(node) = below.pop() {
        below.extend(node.children());
        let Some(theirs) = node.leafref_target() else { continue };
        let ours = crate::fixture::kind_at(&schema, &path(node));
        let TypeKind::Leafref { target, .. } = ours else { panic!("{}: {ours:?}", path(node)) };
        assert_eq!(*target, find(&schema, theirs), "{}", path(node));
        count += 1;
    }
    assert_eq!(count, 16);
}

fn find(schema: &portreeve_yang::Schema, node: Node<'_>) -> NodeId {
    crate::fixture::find(schema, &path(node))
}

/// Returns the names of a node and its ancestors.
fn path(node: Node<'_>) -> String {
    let mut names: Vec<_> = std::iter::successors(Some(node), |node| node.parent()).map(Node::name).collect();
    names.reverse();
    names.join("/")
}

#[test]
fn errors_do_not_stay_in_context() {
    let fixture = Fixture::new(&[("bad.yang", "module bad {"), ("good.yang", &module("good", ""))]);
    let files = Rc::new(ModuleFiles::new(vec![fixture.directory.path().to_owned()]));
    let mut context = Context::new(files).unwrap();
    let messages = context.implement(c"bad", &Features::All).unwrap_err();
    assert!(messages.iter().any(|message| message.is_error));
    assert_eq!(context.messages(), []);
    context.implement(c"good", &Features::Only(vec![])).unwrap();
    let missing = Features::Only(vec![CString::new("missing").unwrap()]);
    assert!(context.implement(c"good", &missing).is_err());
}
