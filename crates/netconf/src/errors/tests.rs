use portreeve_datastore::{Refusal, RefusalKind};
use portreeve_netconf_message::rpc_error::{ErrorInfo, RpcError};
use portreeve_yang::{Entry, InstancePath, Schema};

use super::ErrorWriter;
use crate::test_server::schema;

fn top(schema: &Schema) -> InstancePath {
    let module = schema.module_by_name("example").unwrap();
    let mut path = InstancePath::new();
    path.push(schema.top_level(module, "top").unwrap(), Entry::All);
    path
}

fn errors(refusal: &Refusal, may_read: bool) -> Vec<RpcError> {
    ErrorWriter { schema: &schema(), may_read: &|_| may_read }.of_refusal(refusal)
}

#[test]
fn each_kind_of_refusal_has_an_error_tag() {
    use RefusalKind::{
        AccessDenied, CommitFailed, Conflict, DataExists, DataMissing, InUse, InconsistentName,
        InconsistentValue, Internal, Invalid, NoCreation, NotAuthorized, NotWritable, ResourceUnavailable,
        TooBig, UndoFailed, WrongLength, WrongType, WrongValue,
    };
    for (kinds, tag) in [
        (&[AccessDenied, NotAuthorized][..], "access-denied"),
        (&[WrongType, WrongLength, WrongValue], "invalid-value"),
        (&[ResourceUnavailable], "resource-denied"),
        (&[UndoFailed], "rollback-failed"),
        (&[DataExists], "data-exists"),
        (&[DataMissing], "data-missing"),
        (&[TooBig], "too-big"),
        (&[InUse], "in-use"),
        (
            &[
                NotWritable,
                NoCreation,
                InconsistentName,
                InconsistentValue,
                CommitFailed,
                Invalid,
                Conflict,
                Internal,
            ],
            "operation-failed",
        ),
    ] {
        for kind in kinds {
            let [error] = &errors(&Refusal::new(*kind, "a reason"), true)[..] else { panic!("{kind:?}") };
            assert_eq!(error.tag.as_str(), tag, "{kind:?}");
            assert_eq!(error.message.as_deref(), Some("a reason"));
        }
    }
}

#[test]
fn all_faults_of_a_refusal_are_reported() {
    let schema = schema();
    let mut refusal = Refusal::new(RefusalKind::Invalid, "one").at_path(&schema, top(&schema));
    refusal.app_tag = Some("data-not-unique".into());
    refusal.further = vec![Refusal::new(RefusalKind::TooBig, "two")];
    let [one, two] = &errors(&refusal, true)[..] else { panic!() };
    assert_eq!(one.path.as_ref().unwrap().xpath, "/example:top");
    assert_eq!(one.app_tag.as_deref(), Some("data-not-unique"));
    assert!(matches!(one.info[..], [ErrorInfo::NonUnique(_)]));
    assert_eq!((two.message.as_deref(), &two.path), (Some("two"), &None));
}

#[test]
fn path_that_the_user_may_not_read_is_omitted() {
    let schema = schema();
    let refusal = Refusal::new(RefusalKind::Invalid, "one").at_path(&schema, top(&schema));
    let [error] = &errors(&refusal, false)[..] else { panic!() };
    assert_eq!(error.path, None);
}
