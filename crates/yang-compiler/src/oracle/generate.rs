//! Random documents, most of which are nearly valid.

use portreeve_yang::{NodeId, NodeKind, Schema, TypeId, TypeKind};

use super::document::{Document, Item};

/// Generates a document from a number.
pub(super) struct Generator<'s> {
    schema: &'s Schema,
    state: u64,
    /// One value in so many is likely to be wrong.
    rarity: u64,
    /// Instance identifiers, in which `#` stands for a small number.
    paths: &'s [&'s str],
}

impl<'s> Generator<'s> {
    pub(super) fn new(schema: &'s Schema, paths: &'s [&'s str], seed: u64) -> Self {
        let rarity = if seed.is_multiple_of(3) { 30 } else { 3000 };
        Self { schema, state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15), rarity, paths }
    }

    pub(super) fn document(&mut self) -> Document {
        Document(self.children(NodeId::ROOT))
    }

    /// Returns a number below a limit (SplitMix64).
    fn below(&mut self, limit: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) % limit
    }

    fn pick<'a>(&mut self, values: &[&'a str]) -> &'a str {
        values[usize::try_from(self.below(values.len() as u64)).unwrap()]
    }

    fn children(&mut self, parent: NodeId) -> Vec<Item> {
        let mut items = Vec::new();
        // A case of each choice, mostly.
        let choice = self.below(4);
        let schema = self.schema;
        let children: Vec<NodeId> =
            schema.data_children(parent).iter().copied().filter(|id| schema.node(*id).config).collect();
        let keys = schema.keys(parent);
        let others = children.iter().filter(|id| !keys.contains(id));
        for id in keys.iter().chain(others) {
            let is_other_case = self.case_of(*id).is_some_and(|case| case % 4 != choice % 3);
            if is_other_case && self.below(self.rarity) != 0 {
                continue;
            }
            self.add(*id, &mut items);
        }
        items
    }

    /// Returns true if a value of the type can refer to an instance, which often does not exist.
    fn is_reference(&self, id: TypeId) -> bool {
        match &self.schema.value_type(id).kind {
            TypeKind::Leafref { .. } | TypeKind::InstanceIdentifier { .. } => true,
            TypeKind::Union { members } => members.iter().any(|member| self.is_reference(*member)),
            _ => false,
        }
    }

    /// Returns the position of a node's case among those of its choice.
    fn case_of(&self, id: NodeId) -> Option<u64> {
        let case = self.schema.node(id).parent.filter(|case| self.schema.node(*case).is_choice_or_case())?;
        let choice = self.schema.node(case).parent?;
        let position = self.schema.children(choice).iter().position(|known| *known == case)?;
        u64::try_from(position).ok()
    }

    fn add(&mut self, id: NodeId, items: &mut Vec<Item>) {
        match &self.schema.node(id).kind {
            // Documents of our server do not contain these leafs.
            NodeKind::Leaf(_) if self.schema.is_row_status(id) => {}
            NodeKind::Leaf(leaf) => {
                let is_present = if leaf.is_key || leaf.mandatory {
                    self.below(self.rarity / 3 + 10) != 0
                } else {
                    self.below(if self.is_reference(leaf.value_type) { 8 } else { 2 }) == 0
                };
                if is_present {
                    let value = self.value(leaf.value_type);
                    items.push(Item::Leaf(id, value));
                }
                if is_present && self.below(self.rarity * 10) == 0 {
                    items.push(Item::Leaf(id, self.value(leaf.value_type)));
                }
            }
            NodeKind::LeafList(leaf_list) => {
                let is_rare = self.is_reference(leaf_list.value_type) && self.below(4) != 0;
                for _ in 0..if is_rare { 0 } else { self.count(leaf_list.min, leaf_list.max) } {
                    let value = self.value(leaf_list.value_type);
                    let is_known = |item: &Item| matches!(item, Item::Value(node, known) if *node == id && *known == value);
                    if !items.iter().any(is_known) || self.below(self.rarity) == 0 {
                        items.push(Item::Value(id, value));
                    }
                }
            }
            NodeKind::Container(container) => {
                let children = self.children(id);
                // libyang takes an empty container without presence for a node of its case. In our
                // trees, such a container does not exist.
                let is_nothing = !container.presence && children.is_empty();
                if !is_nothing && self.below(if container.presence { 2 } else { 20 }) != 0 {
                    items.push(Item::Open(id, children));
                }
            }
            NodeKind::List(list) => {
                for _ in 0..self.count(list.min, list.max) {
                    let entry = self.children(id);
                    let is_known = |item: &Item| match (item, entry.first()) {
                        (Item::Open(node, other), Some(Item::Leaf(_, key))) if *node == id => {
                            matches!(other.first(), Some(Item::Leaf(_, known)) if known == key)
                        }
                        _ => false,
                    };
                    if !items.iter().any(is_known) || self.below(self.rarity) == 0 {
                        items.push(Item::Open(id, entry));
                    }
                }
            }
            _ => {}
        }
    }

    /// Returns a number of entries, which is rarely outside of the limits.
    fn count(&mut self, min: u32, max: Option<u32>) -> u64 {
        let (min, max) = (u64::from(min), max.map_or(3, u64::from));
        match self.below(30) {
            0 => self.below(max + 4),
            _ => min + self.below(max - min + 1),
        }
    }

    fn value(&mut self, id: TypeId) -> String {
        if self.below(self.rarity) == 0 {
            return self.pick(UNUSUAL_VALUES).to_owned();
        }
        let schema = self.schema;
        match &schema.value_type(id).kind {
            TypeKind::Integer { .. } => self.pick(&["0", "1", "2", "3", "04", "5"]).to_owned(),
            TypeKind::Decimal64 { .. } => self.pick(&["0.0", "1", "9.99", "-0", "1.10"]).to_owned(),
            TypeKind::String { .. } => self.pick(&["a", "b", "c"]).to_owned(),
            TypeKind::Boolean => self.pick(&["true", "false"]).to_owned(),
            TypeKind::Enumeration { values } => {
                let names: Vec<&str> = values.iter().map(|value| &*value.name).collect();
                self.pick(&names).to_owned()
            }
            TypeKind::Bits { .. } => self.pick(&["", "up", "down up", " up  down "]).to_owned(),
            TypeKind::Binary { .. } => self.pick(&["AA==", "AAE=", "//8="]).to_owned(),
            TypeKind::Leafref { target, .. } => self.value(schema.type_of(*target).unwrap()),
            TypeKind::Identityref { .. } => self.pick(&["o:circle", "o:round", "circle"]).to_owned(),
            TypeKind::Empty => String::new(),
            TypeKind::Union { members } => {
                let at = usize::try_from(self.below(members.len() as u64)).unwrap();
                self.value(members[at])
            }
            TypeKind::InstanceIdentifier { .. } => self.path(),
        }
    }

    fn path(&mut self) -> String {
        let number = self.below(6).to_string();
        self.pick(self.paths).replace('#', &number)
    }
}

/// Values that are wrong for most types, or not in canonical form.
const UNUSUAL_VALUES: &[&str] = &[
    "",
    "x",
    " 1",
    "1 ",
    "-1",
    "+1",
    "6",
    "256",
    "ä",
    "\t",
    "1.0",
    "]]>",
    "1.",
    ".5",
    "-.5",
    "0x1",
    "1e0",
    "-0",
    "+0",
    "00",
    "+",
    "-",
    "--1",
    "1 1",
    "1\n",
    "TRUE",
    "True",
    " true",
    "true ",
    " red",
    "red\n",
    "AA",
    "AA==\n",
    " AA==",
    "A A = =",
    "AB==",
    "=",
    "A===",
    "AAAA",
    "AAA",
    "AA=A",
    "up up",
    "up,down",
    "UP",
    ":circle",
    "o:",
    "o:shape",
    "x:circle",
    "o:circle ",
    " circle",
    "o:color",
    "/",
    "/o:box",
    "/o:box/",
    "o:box",
    "/box",
    "/o:box/o:item[1]",
    "/o:box/o:item",
    "/o:box/o:none",
    "/o:box/o:item[o:id='x']",
    "/o:box/o:item[o:id='1'][o:id='1']",
    "/o:box/o:item[id='1']",
    " /o:box",
    "/o:box ",
    "/o:box/o:item[o:id=1]",
    "99999999999999999999",
    "-99999999999999999999",
    "9.990",
    "9.991",
    "10",
    "0.001",
    "1,0",
    "\u{661}",
];
