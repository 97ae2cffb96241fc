use super::*;

#[test]
fn intervals_ascend_within_the_type() {
    let range = |kind, intervals: &[(i128, i128)]| {
        let intervals = intervals.iter().map(|(min, max)| Interval { min: *min, max: *max }).collect();
        let range = Some(RangeRestriction { intervals, error: Default::default() });
        type_reason(match kind {
            Some(kind) => TypeKind::Integer { kind, range },
            None => TypeKind::Decimal64 { fraction_digits: 18, range },
        })
    };
    let invalid = Some(TypeReason::InvalidIntervals);
    let int8 = Some(IntegerKind::Int8);
    assert_eq!(range(int8, &[(-128, -1), (0, 0), (1, 127)]), None);
    for wrong in [&[][..], &[(-129, 0)], &[(0, 128)], &[(1, 0)], &[(0, 1), (1, 2)], &[(5, 6), (1, 2)]] {
        assert_eq!(range(int8, wrong), invalid, "{wrong:?}");
    }
    assert_eq!(range(None, &[(i64::MIN.into(), i64::MAX.into())]), None);
    assert_eq!(range(None, &[(0, i128::from(i64::MAX) + 1)]), invalid);
    let length = |min, max| {
        let intervals = vec![Interval { min, max }];
        type_reason(TypeKind::Binary {
            length: Some(LengthRestriction { intervals, error: Default::default() }),
        })
    };
    assert_eq!(length(0, u64::MAX), None);
    assert_eq!(length(1, 0), invalid);
    for kind in IntegerKind::ALL {
        let Interval { min, max } = kind.bounds();
        assert_eq!(range(Some(kind), &[(min, max)]), None);
        assert_eq!(range(Some(kind), &[(min - 1, max)]), invalid);
        assert_eq!(range(Some(kind), &[(min, max + 1)]), invalid);
    }
}

#[test]
fn intervals_permit_their_limits_and_the_numbers_between() {
    let intervals = vec![Interval { min: -3, max: -1 }, Interval { min: 5, max: 5 }];
    let range = RangeRestriction { intervals, error: Default::default() };
    let permitted: Vec<i128> = (-5..8).filter(|number| range.permits(*number)).collect();
    assert_eq!(permitted, [-3, -2, -1, 5]);
}

#[test]
fn names_of_types_differ() {
    let digits = |fraction_digits| type_reason(TypeKind::Decimal64 { fraction_digits, range: None });
    assert_eq!((digits(1), digits(18)), (None, None));
    assert_eq!(digits(0), Some(TypeReason::InvalidFractionDigits));
    assert_eq!(digits(19), Some(TypeReason::InvalidFractionDigits));

    let enumeration = |values: &[(&str, i32)]| {
        let values = values.iter().map(|(name, value)| EnumValue { name: (*name).into(), value: *value });
        type_reason(TypeKind::Enumeration { values: values.collect() })
    };
    assert_eq!(enumeration(&[("b c", 2), ("a", -1)]), None);
    assert_eq!(enumeration(&[]), Some(TypeReason::InvalidEnumeration));
    assert_eq!(enumeration(&[("a", 1), ("b", 2), ("a", 3)]), Some(TypeReason::InvalidEnumeration));
    assert_eq!(enumeration(&[("a", 1), ("b", 2), ("c", 1)]), Some(TypeReason::InvalidEnumeration));
    for name in ["", " a", "a ", "\0"] {
        assert_eq!(enumeration(&[(name, 1)]), Some(TypeReason::InvalidName));
    }
    let bits = |bits: &[(&str, u32)]| {
        let bits = bits.iter().map(|(name, position)| Bit { name: (*name).into(), position: *position });
        type_reason(TypeKind::Bits { bits: bits.collect() })
    };
    assert_eq!(bits(&[("b", 0), ("a", u32::MAX)]), None);
    assert_eq!(bits(&[]), Some(TypeReason::InvalidBits));
    assert_eq!(bits(&[("a", 1), ("b", 1)]), Some(TypeReason::InvalidBits));
    assert_eq!(bits(&[("a", 2), ("b", 1)]), Some(TypeReason::InvalidBits));
    assert_eq!(bits(&[("a", 1), ("b", 2), ("a", 3)]), Some(TypeReason::InvalidBits));
    assert_eq!(bits(&[("a b", 1)]), Some(TypeReason::InvalidName));
}

#[test]
fn references_of_types_exist() {
    assert_eq!(type_reason(TypeKind::Identityref { bases: vec![] }), Some(TypeReason::InvalidBase));
    assert_eq!(
        type_reason(TypeKind::Identityref { bases: vec![IdentityId(3)] }),
        Some(TypeReason::InvalidBase)
    );
    assert_eq!(type_reason(TypeKind::Union { members: vec![] }), Some(TypeReason::InvalidUnion));
    assert_eq!(type_reason(TypeKind::Union { members: vec![TypeId(999)] }), Some(TypeReason::InvalidUnion));
}

#[test]
fn leafrefs_lead_to_their_targets() {
    let change = |change: fn(&mut TypeKind, Sample)| {
        let result =
            build(|builder, sample| change(&mut builder.type_mut(sample.leafref).unwrap().kind, sample));
        match result {
            Err(SchemaError::Type { reason, .. }) => Some(reason),
            Err(other) => panic!("{other:?}"),
            Ok(_) => None,
        }
    };
    macro_rules! leafref {
        ($sample:ident, $target:ident, $steps:ident, $body:expr) => {
            change(|kind, $sample| {
                let TypeKind::Leafref { target: $target, steps: $steps, .. } = kind else { panic!() };
                let _ = (&$sample, &$target, &$steps);
                $body
            })
        };
    }
    let invalid = Some(TypeReason::InvalidLeafref);
    assert_eq!(leafref!(s, target, steps, *target = s.floor), invalid);
    assert_eq!(leafref!(s, target, steps, *target = UNKNOWN_NODE), invalid);
    assert_eq!(leafref!(s, target, steps, *target = s.stair), invalid);
    assert_eq!(leafref!(s, target, steps, steps.steps.clear()), invalid);
    assert_eq!(leafref!(s, target, steps, steps.steps.truncate(2)), invalid);
    assert_eq!(leafref!(s, target, steps, _ = steps.steps.remove(0)), invalid);
    assert_eq!(leafref!(s, target, steps, _ = steps.steps.remove(1)), invalid);
    assert_eq!(leafref!(s, target, steps, steps.start = LeafrefStart::Up(0)), invalid);
    assert_eq!(leafref!(s, target, steps, steps.start = LeafrefStart::Up(65)), invalid);
    assert_eq!(leafref!(s, target, steps, steps.start = LeafrefStart::Up(64)), None);
    assert_eq!(leafref!(s, target, steps, steps.steps[1].predicates[0].key = s.steps), invalid);
    assert_eq!(leafref!(s, target, steps, steps.steps[1].predicates[0].up = 0), invalid);
    assert_eq!(leafref!(s, target, steps, steps.steps[1].predicates[0].steps.clear()), invalid);
    assert_eq!(leafref!(s, target, steps, steps.steps[1].predicates[0].steps[0] = s.size), invalid);
    assert_eq!(
        leafref!(s, target, steps, steps.steps[1].predicates[0].steps = vec![s.house, s.floor]),
        invalid
    );
    assert_eq!(leafref!(s, target, steps, steps.steps.swap(0, 1)), invalid);
}

#[test]
fn parameters_of_an_operation_are_its_children_in_leafrefs() {
    let result = build(|builder, sample| {
        let height = builder.node(sample.input).parent.map(|_| NodeId(sample.input.0 + 1)).unwrap();
        let TypeKind::Leafref { target, steps, .. } = &mut builder.type_mut(sample.leafref).unwrap().kind
        else {
            panic!()
        };
        *target = height;
        steps.steps =
            [sample.rpc, height].map(|node| crate::LeafrefStep { node, predicates: vec![] }).to_vec();
    });
    assert_eq!(result.err(), None);
}

#[test]
fn types_do_not_consist_of_themselves() {
    let reason = |change: fn(&mut SchemaBuilder, Sample)| match build(change) {
        Err(SchemaError::Type { reason, .. }) => Some(reason),
        Err(other) => panic!("{other:?}"),
        Ok(_) => None,
    };
    let cycle = Some(TypeReason::Cycle);
    fn union(builder: &mut SchemaBuilder, id: TypeId, members: &[TypeId]) {
        builder.type_mut(id).unwrap().kind = TypeKind::Union { members: members.to_vec() };
    }
    assert_eq!(reason(|b, s| union(b, s.union, &[s.integer, s.union])), cycle);
    assert_eq!(
        reason(|b, s| {
            union(b, s.integer, &[s.string, s.decimal]);
            union(b, s.decimal, &[s.union]);
        }),
        cycle,
        "of three"
    );
    // The leaf `owner` has the leafref, which leads to the leaf `name`.
    assert_eq!(reason(|b, s| b.node_mut(s.name).unwrap().kind = leaf_key(s.leafref)), cycle);
    assert_eq!(reason(|b, s| union(b, s.string, &[s.decimal, s.leafref])), cycle, "through a union");
    assert_eq!(
        reason(|b, s| union(b, s.union, &[s.integer, s.integer, s.string])),
        None,
        "twice, but no cycle"
    );
}

fn leaf_key(value_type: TypeId) -> NodeKind {
    match NodeKind::leaf(value_type) {
        NodeKind::Leaf(leaf) => NodeKind::Leaf(crate::Leaf { is_key: true, ..leaf }),
        other => other,
    }
}

#[test]
fn nesting_and_size_of_unions_are_limited() {
    let chain = |levels: usize, is_first_largest: bool, members: usize| {
        let mut builder = SchemaBuilder::new();
        let ids: Vec<TypeId> = (0..=levels).map(|_| builder.add_type(Type::new(TypeKind::Boolean))).collect();
        for pair in ids.windows(2) {
            let (union, part) = if is_first_largest { (pair[0], pair[1]) } else { (pair[1], pair[0]) };
            builder.type_mut(union).unwrap().kind = TypeKind::Union { members: vec![part; members] };
        }
        match builder.build() {
            Err(SchemaError::Type { reason, .. }) => Some(reason),
            Err(other) => panic!("{other:?}"),
            Ok(_) => None,
        }
    };
    for is_first_largest in [true, false] {
        assert_eq!(chain(MAX_TYPE_DEPTH - 1, is_first_largest, 1), None);
        assert_eq!(chain(MAX_TYPE_DEPTH, is_first_largest, 1), Some(TypeReason::TooDeep));
        // Each level doubles the number of types that a value is compared with.
        assert_eq!(chain(12, is_first_largest, 2), None);
        assert_eq!(chain(13, is_first_largest, 2), Some(TypeReason::TooManyMembers));
        assert_eq!(chain(1, is_first_largest, MAX_UNION_MEMBERS), None);
        assert_eq!(chain(1, is_first_largest, MAX_UNION_MEMBERS + 1), Some(TypeReason::TooManyMembers));
    }
}
