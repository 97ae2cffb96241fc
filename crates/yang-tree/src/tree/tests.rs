use crate::{
    Instance, Walk,
    samples::{schema, tree},
};

#[test]
fn debug_output_of_trees_has_no_values() {
    let schema = schema();
    let tree = tree(
        &schema,
        "contact=secret server { name=secret tag=secret } dns=secret rule { id=secret action=secret }",
    );
    let mut walk = Walk::new(&tree);
    let mut texts = vec![format!("{tree:?}"), format!("{tree:#?}"), format!("{:?}", tree.root())];
    texts.extend(Instance::root(&tree).children(&schema).map(|child| format!("{child:?}")));
    while let Some(step) = walk.step(&schema) {
        texts.push(format!("{step:?}"));
    }
    texts
        .extend(crate::Tree::new().changes(&schema, &tree).iter().map(|change| format!("{:?}", change.kind)));
    for text in texts {
        assert!(!text.contains("secret"), "{text}");
    }
}
