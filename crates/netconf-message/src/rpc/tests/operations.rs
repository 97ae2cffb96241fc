use super::super::{
    Datastore, DefaultOperation, EditConfig, ErrorOption, GetSchema, Operation, OperationName, RpcReader,
    Source, TestOption, WithDefaults,
};
use super::{Recorder, operation, read, read_with};
use crate::filter::Filter;
use crate::names::{NETCONF, NETCONF_MONITORING, QualifiedName, WITH_DEFAULTS};
use crate::rpc_error::ErrorInfo;

#[test]
fn operations_without_content_are_read() {
    let explicit = format!("<with-defaults xmlns='{WITH_DEFAULTS}'> explicit </with-defaults>");
    for (content, expected) in [
        ("<get/>".to_owned(), Operation::Get { filter: None, with_defaults: None }),
        (
            format!("<get>{explicit}<filter type='subtree'/></get>"),
            Operation::Get { filter: Some(Filter::default()), with_defaults: Some(WithDefaults::Explicit) },
        ),
        (
            format!("<get-config>{explicit}<filter/><source><candidate/></source></get-config>"),
            Operation::GetConfig {
                source: Datastore::Candidate,
                filter: Some(Filter::default()),
                with_defaults: Some(WithDefaults::Explicit),
            },
        ),
        (
            "<copy-config><source><running/></source><target><candidate/></target></copy-config>".to_owned(),
            Operation::CopyConfig {
                target: Datastore::Candidate,
                source: Source::Datastore(Datastore::Running),
                with_defaults: None,
            },
        ),
        (
            "<lock>\n <target> <running> </running> </target>\n</lock>".to_owned(),
            Operation::Lock(Datastore::Running),
        ),
        (
            "<unlock><target><candidate/></target></unlock>".to_owned(),
            Operation::Unlock(Datastore::Candidate),
        ),
        ("<close-session/>".to_owned(), Operation::CloseSession),
        (
            "<kill-session><session-id>\n 4294967295\n</session-id></kill-session>".to_owned(),
            Operation::KillSession(u32::MAX),
        ),
        ("<commit/>".to_owned(), Operation::Commit),
        ("<discard-changes></discard-changes>".to_owned(), Operation::DiscardChanges),
        (
            "<validate><source><running/></source></validate>".to_owned(),
            Operation::Validate(Source::Datastore(Datastore::Running)),
        ),
        (
            format!(
                "<get-schema xmlns='{NETCONF_MONITORING}'><version/><identifier>a</identifier></get-schema>"
            ),
            Operation::GetSchema(GetSchema { identifier: "a".into(), version: Some("".into()) }),
        ),
        (
            format!(
                "<m:get-schema xmlns:m='{NETCONF_MONITORING}'><m:format>m:yang</m:format>\
                 <m:identifier>a</m:identifier></m:get-schema>"
            ),
            Operation::GetSchema(GetSchema { identifier: "a".into(), version: None }),
        ),
    ] {
        assert_eq!(operation(&content), Ok(expected), "{content}");
    }
}

//= rfc6241#7.2-p1
//= type=test
#[test]
fn all_values_of_enumerations_are_read() {
    let edit = |parameters: &str| {
        let content = format!("<edit-config><target><running/></target>{parameters}<config/></edit-config>");
        match operation(&content) {
            Ok(Operation::EditConfig(edit)) => edit,
            other => panic!("{content}: {other:?}"),
        }
    };
    let default = EditConfig {
        target: Datastore::Running,
        default_operation: DefaultOperation::Merge,
        test_option: TestOption::TestThenSet,
        error_option: None,
    };
    assert_eq!(edit(""), default);
    for (text, value) in [
        ("merge", DefaultOperation::Merge),
        ("replace", DefaultOperation::Replace),
        ("none", DefaultOperation::None),
    ] {
        let parameter = format!("<default-operation>{text}</default-operation>");
        assert_eq!(edit(&parameter).default_operation, value);
    }
    for (text, value) in [
        ("test-then-set", TestOption::TestThenSet),
        ("set", TestOption::Set),
        ("test-only", TestOption::TestOnly),
    ] {
        assert_eq!(edit(&format!("<test-option>{text}</test-option>")).test_option, value);
    }
    for (text, value) in [
        ("stop-on-error", ErrorOption::StopOnError),
        ("continue-on-error", ErrorOption::ContinueOnError),
        ("rollback-on-error", ErrorOption::RollbackOnError),
    ] {
        assert_eq!(edit(&format!("<error-option>{text}</error-option>")).error_option, Some(value));
    }
    for (text, value) in [
        ("report-all", WithDefaults::ReportAll),
        ("report-all-tagged", WithDefaults::ReportAllTagged),
        ("trim", WithDefaults::Trim),
        ("explicit", WithDefaults::Explicit),
    ] {
        let content = format!("<get><with-defaults xmlns='{WITH_DEFAULTS}'>{text}</with-defaults></get>");
        let expected = Operation::Get { filter: None, with_defaults: Some(value) };
        assert_eq!(operation(&content), Ok(expected));
    }
}

#[test]
fn content_of_config_is_passed_to_the_handler() {
    // Parameters precede and follow the content, with other prefixes.
    let message = format!(
        "<nc:rpc xmlns:nc='{NETCONF}' message-id='1'><nc:edit-config>\
         <nc:default-operation>replace</nc:default-operation><nc:target><nc:candidate/></nc:target>\
         <nc:config xmlns='urn:c'><a nc:operation='merge'>1<b/></a></nc:config>\
         <nc:error-option>rollback-on-error</nc:error-option></nc:edit-config></nc:rpc>"
    );
    let (rpc, config) = read(&message);
    assert_eq!(
        config,
        "Edit { target: Candidate, default_operation: Replace } config:<urn:c a>1<urn:c b></b></a>"
    );
    let Ok(Operation::EditConfig(edit)) = rpc.operation else { panic!("{rpc:?}") };
    assert_eq!((edit.target, edit.error_option), (Datastore::Candidate, Some(ErrorOption::RollbackOnError)));

    for (content, config_use) in [
        (
            "<copy-config><source><config><a/></config></source><target><running/></target></copy-config>",
            "Copy",
        ),
        ("<validate><source><config><a/></config></source></validate>", "Validate"),
    ] {
        let (rpc, config) = read(&format!("<rpc xmlns='{NETCONF}' message-id='1'>{content}</rpc>"));
        assert_eq!(config, format!("{config_use} config:<{NETCONF} a></a>"));
        let source = match rpc.operation {
            Ok(Operation::CopyConfig { source, .. } | Operation::Validate(source)) => source,
            other => panic!("{other:?}"),
        };
        assert_eq!(source, Source::Config);
    }
}

#[test]
fn parameters_that_decide_about_changes_precede_them() {
    let edit = |before: &str, after: &str| {
        operation(&format!("<edit-config>{before}<config><a/></config>{after}</edit-config>"))
    };
    let (target, option) = ("<target><running/></target>", "<error-option>stop-on-error</error-option>");
    let test = "<test-option>set</test-option>";
    let default = |operation: &str| format!("<default-operation>{operation}</default-operation>");
    let Ok(Operation::EditConfig(late)) = edit(target, &(option.to_owned() + test)) else { panic!() };
    assert_eq!((late.error_option, late.test_option), (Some(ErrorOption::StopOnError), TestOption::Set));
    assert!(edit(target, &default("merge")).is_ok(), "the changes have been read as a merge");
    for (before, after, element) in [("", target, "target"), (target, &*default("none"), "default-operation")]
    {
        let error = edit(before, after).unwrap_err();
        assert_eq!(error.info, [ErrorInfo::BadElement(QualifiedName::netconf(element))]);
        let message = error.message.unwrap_or_default();
        assert!(message.ends_with("must precede config"), "{message}");
    }
}

#[test]
fn handler_learns_the_operation_before_its_parameters() {
    let mut recorder = Recorder { refused: Some(OperationName::EditConfig), ..Recorder::default() };
    let message = format!(
        "<rpc xmlns='{NETCONF}' message-id='1'><edit-config><target><running/></target><config><a/></config>\
         </edit-config></rpc>"
    );
    let rpc = read_with(&mut recorder, &message, 1);
    assert_eq!(rpc.operation.unwrap_err().tag.as_str(), "access-denied");
    assert_eq!((recorder.operations, recorder.config.as_str()), (vec![OperationName::EditConfig], ""));
}

#[test]
fn reader_reads_one_request_after_the_other() {
    let mut reader = RpcReader::default();
    let mut recorder = Recorder::default();
    for (content, is_valid) in [("<get/>", true), ("<x/>", false), ("<get/>", true)] {
        let message = format!("<rpc xmlns='{NETCONF}' message-id='1'>{content}</rpc>");
        reader.push(message.as_bytes(), &mut recorder).unwrap();
        let rpc = reader.finish().unwrap();
        assert_eq!(rpc.operation.is_ok(), is_valid, "{message}");
        assert_eq!(reader.reply_tag(), &crate::ReplyTag::default());
    }
}

#[test]
fn incomplete_message_is_an_error_of_xml() {
    let mut reader = RpcReader::default();
    let message = format!("<rpc xmlns='{NETCONF}' message-id='7'><get>");
    reader.push(message.as_bytes(), &mut Recorder::default()).unwrap();
    assert!(reader.finish().is_err());
    assert_ne!(reader.reply_tag(), &crate::ReplyTag::default(), "the reply contains the message-id");
    assert!(reader.push(b"</x>", &mut Recorder::default()).is_err());
}
