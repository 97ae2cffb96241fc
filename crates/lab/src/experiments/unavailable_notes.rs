//! Notes on what could not be measured, instead of table rows without values.

use std::collections::BTreeMap;

use portreeve_lab_report::document::{NoticeKind, Section};
use portreeve_lab_report::samples::Selection;

use crate::client::ProtocolStack;

/// Adds one note for each reason, with the protocol stacks of the selection that it applies to. A
/// reason that applies to all of them is stated without them.
pub(super) fn add(section: &mut Section, program: &str, selection: &Selection<'_>) {
    let mut stacks: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for record in selection.all_unavailable() {
        let known = stacks.entry(&record.reason).or_default();
        let Some(stack) = record.variant.get("stack") else { continue };
        let label = stack.parse::<ProtocolStack>().map_or_else(|_| stack.to_owned(), ProtocolStack::label);
        if !known.contains(&label) {
            known.push(label);
        }
    }
    for (reason, stacks) in stacks {
        let stacks = if stacks.is_empty() { String::new() } else { format!("{}: ", stacks.join("; ")) };
        section.notice(NoticeKind::Unavailable, format!("{program}: {stacks}{reason}."));
    }
}

/// Adds one note for each record of the selection, with the values of the axes that it applies to.
pub(super) fn add_each(section: &mut Section, selection: &Selection<'_>) {
    for record in selection.all_unavailable() {
        let values: Vec<&str> = record.variant.axes().map(|(_, value)| value).collect();
        let values = if values.is_empty() { "all".to_owned() } else { values.join(", ") };
        section.notice(NoticeKind::Unavailable, format!("{values}: {}.", record.reason));
    }
}

#[cfg(test)]
mod tests {
    use portreeve_lab_report::document::Block;
    use portreeve_lab_report::sample::{Record, Unavailable, Variant};
    use portreeve_lab_report::samples::Samples;

    use super::*;

    #[test]
    fn reason_for_all_stacks_is_stated_without_them() {
        let unavailable = |variant: Variant, reason: &str| {
            Record::Unavailable(Unavailable { experiment: "x".into(), variant, reason: reason.into() })
        };
        let agent = Variant::of([("agent", "sshd")]);
        let samples = Samples::new(vec![
            unavailable(agent.clone(), "not installed"),
            unavailable(agent.and("stack", "tsm/ssh"), "too slow"),
        ]);
        let mut section = Section::default();
        add(&mut section, "sshd", &samples.experiment("x"));
        let texts = section.blocks.iter().filter_map(|block| match block {
            Block::Notice(notice) => Some(notice.text.to_string()),
            _ => None,
        });
        assert_eq!(
            texts.collect::<Vec<_>>(),
            ["sshd: not installed.", "sshd: v3/TSM over SSH, X25519: too slow."]
        );
    }
}
