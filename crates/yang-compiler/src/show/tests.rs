use super::show;
use crate::fixture::{Fixture, module};

#[test]
fn modules_nodes_and_constraints_are_shown() {
    let fixture = Fixture::new(&[
        ("i.yang", &module("i", "revision 2020-02-02; typedef t { type string; }")),
        (
            "m.yang",
            &module(
                "m",
                "import i { prefix j; } feature f;
                 container box { leaf a { type j:t; } leaf longer { type int8; must '. > 1'; } list l { key k; leaf k { type string; } } }
                 rpc do;",
            ),
        ),
        ("d.yang", &module("d", "import m { prefix m; } deviation /m:box/m:a { deviate add { units u; } }")),
    ]);
    let expected = "\
modules:
  m; features: f; deviated by: d
  i@2020-02-02 (imported only)
  d

module: m
  +--rw box
     +--rw a?        i:t
     +--rw longer?   int8
     +--rw l* [k]
        +--rw k   string

  rpcs:
    +---x do

constraints:
  m.yang:6: /m:box/longer: must \". > 1\"
";
    assert_eq!(show(&fixture.compile(&["m", "d"]).unwrap()), expected);
}
