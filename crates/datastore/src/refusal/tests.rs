use super::*;

#[test]
fn refusal_keeps_its_most_precise_place() {
    let refusal = Refusal::from(RefusalKind::WrongType);
    assert_eq!((refusal.variable(), refusal.kind.error_status()), (0, ErrorStatus::WrongType));
    let placed = refusal.at_variable(3).at_variable(5);
    assert_eq!((placed.variable(), &placed.at), (3, &Place::Variable(3)));
    let path = placed.at_path(&Schema::default(), InstancePath::new());
    assert_eq!(path.variable(), 0);
    assert!(matches!(path.at, Place::Path(_)));
    let path = path.at_variable(3).at_variable(5);
    assert_eq!(path.variable(), 3);
    assert!(matches!(path.at, Place::Path(_)), "the number does not replace the path");
}

/// SNMP managers distinguish these statuses (RFC 3416 §4.2.5), so no two kinds of SNMP share one.
#[test]
fn each_kind_of_refusal_by_snmp_has_its_own_error_status() {
    use RefusalKind::*;
    let kinds = [
        AccessDenied,
        NotAuthorized,
        NotWritable,
        WrongType,
        WrongLength,
        WrongValue,
        NoCreation,
        InconsistentName,
        InconsistentValue,
        ResourceUnavailable,
        CommitFailed,
        UndoFailed,
        Internal,
    ];
    let mut statuses: Vec<u8> = kinds.iter().map(|kind| kind.error_status() as u8).collect();
    statuses.sort_unstable();
    statuses.dedup();
    assert_eq!(statuses.len(), kinds.len());
    let texts: std::collections::BTreeSet<_> =
        kinds.iter().map(|kind| Refusal::from(*kind).to_string()).collect();
    assert_eq!(texts.len(), kinds.len());
}
