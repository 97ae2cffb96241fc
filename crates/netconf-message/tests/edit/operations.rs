//! Cases of the shape of the examples in RFC 6241 §7.2, and one for each rule about operations.

use crate::device::Device;

/// A configuration of two berths.
const BERTHS: &str = "<harbor><berth><name>a</name><depth>9</depth><voltage>1</voltage></berth>\
    <berth><name>b</name><depth>7</depth><crane><reach>30</reach></crane></berth></harbor>";

/// Edits a device with two berths, and returns its configuration or the `error-tag`.
fn edited(default_operation: &str, config: &str) -> Result<String, String> {
    let mut device = Device::new(BERTHS);
    let parameter = match default_operation {
        "" => String::new(),
        operation => format!("<default-operation>{operation}</default-operation>"),
    };
    match device.edit(&parameter, config) {
        Ok(()) => Ok(device.config()),
        Err(error) => {
            assert_eq!(device.config(), BERTHS, "a request that is refused changes nothing");
            let (_, rest) = error.split_once("<error-tag>").unwrap();
            Err(rest.split_once('<').unwrap().0.to_owned())
        }
    }
}

/// The configuration of one berth.
fn harbor(content: &str) -> String {
    format!("<harbor>{content}</harbor>")
}

const A: &str = "<berth><name>a</name><depth>9</depth><voltage>1</voltage></berth>";
const B: &str = "<berth><name>b</name><depth>7</depth><crane><reach>30</reach></crane></berth>";

#[test]
fn leaf_of_an_entry_is_set_by_a_merge() {
    let a = "<berth><name>a</name><depth>12</depth><voltage>1</voltage></berth>";
    let result = edited("", &harbor("<berth><name>a</name><depth>12</depth></berth>"));
    assert_eq!(result, Ok(harbor(&format!("{a}{B}"))));
}

#[test]
fn entry_is_added_by_a_merge_and_by_a_creation() {
    let c = "<berth><name>c</name><depth>3</depth></berth>";
    let all = harbor(&format!("{A}{B}{c}"));
    assert_eq!(edited("", &harbor(c)), Ok(all.clone()));
    let created = c.replace("<berth>", "<berth nc:operation='create'>");
    assert_eq!(edited("none", &harbor(&created)), Ok(all));
}

#[test]
fn entry_is_replaced_without_its_other_leafs() {
    let request = "<berth nc:operation='replace'><name>a</name><depth>1</depth></berth>";
    let a = "<berth><name>a</name><depth>1</depth></berth>";
    assert_eq!(edited("", &harbor(request)), Ok(harbor(&format!("{a}{B}"))));
}

#[test]
fn configuration_is_replaced_by_the_default_operation() {
    let c = harbor("<berth><name>c</name></berth>");
    assert_eq!(edited("replace", &c), Ok(c.clone()));
    let merged = c.replace("<harbor>", "<harbor nc:operation='merge'>");
    // The default operation has removed everything that the request does not contain.
    assert_eq!(edited("replace", &merged), Ok(c));
    assert_eq!(edited("replace", ""), Ok(String::new()));
}

//= rfc7950#8.3.2-p2
//= type=test
#[test]
fn entry_is_deleted_among_its_siblings() {
    let delete = |name: &str, operation: &str| {
        harbor(&format!("<berth nc:operation='{operation}'><name>{name}</name></berth>"))
    };
    assert_eq!(edited("none", &delete("a", "delete")), Ok(harbor(B)));
    assert_eq!(edited("", &delete("b", "remove")), Ok(harbor(A)));
    assert_eq!(edited("none", &delete("c", "delete")), Err("data-missing".to_owned()));
    assert_eq!(edited("none", &delete("c", "remove")), Ok(BERTHS.to_owned()));
    let both = harbor(
        "<berth operation='delete'><name>a</name></berth><berth operation='delete'><name>b</name></berth>",
    );
    assert_eq!(edited("none", &both), Ok(String::new()));
}

//= rfc7950#8.3.2-p1
//= type=test
#[test]
fn creation_of_a_node_that_exists_is_refused() {
    for content in [
        "<berth operation='create'><name>a</name></berth>",
        "<berth><name>a</name><depth operation='create'>9</depth></berth>",
        "<berth><name>b</name><crane operation='create'/></berth>",
    ] {
        assert_eq!(edited("", &harbor(content)), Err("data-exists".to_owned()), "{content}");
    }
    assert_eq!(edited("", "<harbor operation='create'/>"), Err("data-exists".to_owned()));
}

#[test]
fn nodes_have_to_exist_under_the_default_operation_none() {
    let deep = |name: &str| {
        harbor(&format!("<berth><name>{name}</name><crane><reach operation='delete'/></crane></berth>"))
    };
    let b = B.replace("<crane><reach>30</reach></crane>", "<crane/>");
    assert_eq!(edited("none", &deep("b")), Ok(harbor(&format!("{A}{b}"))));
    assert_eq!(edited("none", &deep("a")), Err("data-missing".to_owned()));
    assert_eq!(edited("none", &deep("c")), Err("data-missing".to_owned()));
    // Nothing is asked for, and nothing changes.
    assert_eq!(edited("none", BERTHS), Ok(BERTHS.to_owned()));
}

#[test]
fn operation_of_an_inner_node_precedes_that_of_the_outer_one() {
    let request = "<berth operation='delete'><name>a</name><depth operation='create'>1</depth></berth>";
    assert_eq!(edited("", &harbor(request)), Ok(harbor(B)), "in a deleted entry, the rest has no effect");
    let request = "<berth operation='replace'><name>b</name><crane operation='merge'/></berth>";
    let b = "<berth><name>b</name><crane/></berth>";
    assert_eq!(edited("", &harbor(request)), Ok(harbor(&format!("{A}{b}"))));
}

//= rfc7950#8.3.1-p3
//= type=test
#[test]
fn node_of_another_case_removes_the_one_before() {
    let a = "<berth><name>a</name><depth>9</depth><fuel>oil</fuel></berth>";
    let request = "<berth><name>a</name><fuel>oil</fuel></berth>";
    assert_eq!(edited("", &harbor(request)), Ok(harbor(&format!("{a}{B}"))));
    let both = "<berth><name>a</name><fuel>oil</fuel><voltage>2</voltage></berth>";
    assert_eq!(edited("", &harbor(both)), Err("bad-element".to_owned()));
}

#[test]
fn entries_are_moved_in_a_list_that_users_order() {
    let mut device =
        Device::new("<harbor><mooring><id>1</id></mooring><mooring><id>2</id></mooring></harbor>");
    for (attributes, id, order) in [
        ("y:insert='first'", 3, "3 1 2"),
        ("y:insert='after' y:key=\"[h:id='1']\"", 3, "1 3 2"),
        ("y:insert='before' y:key=\"[h:id='1']\"", 2, "2 1 3"),
        ("y:insert='last'", 2, "1 3 2"),
    ] {
        device.edit("", &harbor(&format!("<mooring {attributes}><id>{id}</id></mooring>"))).unwrap();
        let config = device.config().replace("<mooring><id>", " ").replace("</id></mooring>", "");
        assert_eq!(config, harbor(&format!(" {order}")), "{attributes} {id}");
    }
}
