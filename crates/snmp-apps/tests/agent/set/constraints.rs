//! Constraints between modules, and between the SETs of a group: each sees what the others propose.

use std::sync::Arc;

use portreeve_datastore::{ProposedState, Refusal, RefusalKind, State};
use portreeve_mib::{
    Draft, Instrumentation, Lookup, Object, Requester, SetVariable,
    modules::{
        if_mib::IF_NUMBER,
        snmpv2_mib,
        vacm_mib::{VACM_VIEW_TREE_FAMILY_STATUS, VACM_VIEW_TREE_FAMILY_TYPE},
    },
};
use portreeve_mib_std::LcdObjects;
use portreeve_smi::{ErrorStatus, Oid, OidBuf, OwnedValue, Timestamp};

use super::{contact, text};
use crate::support::{
    agent::{AgentBuilder, Outcome, TestAgent},
    config::engine_id,
    names::scalar,
    response::TestResponse,
    test_pdu::{get, set},
};

/// A module whose only object can be set only if sysContact is not empty.
#[derive(Clone)]
struct NeedsContact;

impl Instrumentation for NeedsContact {
    fn objects(&self) -> Vec<&'static Object> {
        vec![&IF_NUMBER]
    }

    fn begin(&mut self, _: &Arc<State>, _: Timestamp) {}

    fn get(&mut self, _: usize, _: &[u32]) -> Lookup<'_> {
        Lookup::Absent
    }

    fn next(&mut self, _: usize, _: &[u32], _: &mut OidBuf) -> Lookup<'_> {
        Lookup::Absent
    }

    fn draft(&mut self, _: &ProposedState, _: Requester<'_>) -> Option<Box<dyn Draft>> {
        Some(Box::new(NeedsContactDraft { variable: 0 }))
    }
}

struct NeedsContactDraft {
    variable: usize,
}

impl Draft for NeedsContactDraft {
    fn test(&mut self, _: &mut ProposedState, variable: &SetVariable<'_>) -> Result<(), Refusal> {
        self.variable = variable.number;
        Ok(())
    }

    fn apply(&mut self, _: &mut ProposedState) -> Result<(), Refusal> {
        Ok(())
    }

    fn check(&mut self, proposed: &ProposedState) -> Result<(), Refusal> {
        if !proposed.lcd().tables().scalars.sys_contact.value.is_empty() {
            return Ok(());
        }
        let refusal = Refusal::new(RefusalKind::InconsistentValue, "interfaces need a contact");
        Err(refusal.at_variable(self.variable))
    }
}

fn agent() -> TestAgent {
    AgentBuilder::new()
        .writable_module(|| Box::new(NeedsContact))
        .writable_module(|| Box::new(LcdObjects::new(engine_id())))
        .build()
}

#[test]
fn module_checks_changes_that_other_modules_make_in_the_same_set() {
    let mut agent = agent();
    agent.entity.record_sets(true);
    let number = || (scalar(&IF_NUMBER), OwnedValue::Integer(1));
    let name = || (scalar(&snmpv2_mib::SYS_NAME), text("gate"));

    let refused = agent.request_v2c(&set(&[name(), number()]));
    assert_eq!(refused.error(), (ErrorStatus::InconsistentValue, 2));
    let record = agent.entity.poll_finished_set().unwrap();
    assert_eq!(record.refusal.unwrap().to_string(), "interfaces need a contact");
    assert_eq!(agent.datastore.state().current().generation, 0);

    // The module with the constraint comes first, and sees the change of the second one.
    assert_eq!(
        agent.request_v2c(&set(&[number(), (contact(), text("ops"))])).error(),
        (ErrorStatus::NoError, 0)
    );
    assert_eq!(agent.request_v2c(&get(&[contact()])).value(), text("ops"));
    // The removal of the contact is seen as well.
    let removed = agent.request_v2c(&set(&[number(), (contact(), text(""))]));
    assert_eq!(removed.error(), (ErrorStatus::InconsistentValue, 1));
    assert_eq!(agent.request_v2c(&get(&[contact()])).value(), text("ops"));
}

/// An earlier SET of the group withdraws the access of a later one.
#[test]
fn access_of_set_is_checked_with_changes_of_earlier_sets_of_its_group() {
    let mut agent =
        AgentBuilder::new().writable_module(|| Box::new(LcdObjects::new(engine_id()))).hold_sets().build();
    // A view family that excludes sysLocation from the view of all objects.
    let location = scalar(&snmpv2_mib::SYS_LOCATION);
    let mut index = vec![3];
    index.extend(b"all".map(u32::from));
    index.push(location.arcs().len() as u32 - 1);
    index.extend(&location.arcs()[..location.arcs().len() - 1]);
    let family = |object: &'static Object, value| {
        let mut name = object.oid();
        name.extend(&index).unwrap();
        (Oid::new(&name).unwrap(), OwnedValue::Integer(value))
    };
    let exclusion = set(&[family(&VACM_VIEW_TREE_FAMILY_TYPE, 2), family(&VACM_VIEW_TREE_FAMILY_STATUS, 4)]);
    let change = set(&[(contact(), text("a")), (location, text("roof"))]);
    for pdu in [&change, &exclusion, &change] {
        assert_eq!(agent.handle(&pdu.v2c("private")), Outcome::Pending);
    }
    agent.execute_sets();
    let errors: Vec<_> = agent.poll().iter().map(|message| TestResponse::of(message).error()).collect();
    let done = (ErrorStatus::NoError, 0);
    assert_eq!(errors, [done, done, (ErrorStatus::NoAccess, 2)]);
    assert_eq!(agent.sets.log_mut().groups.len(), 1);
}
