use super::*;

#[test]
fn manual_has_description_and_example_of_every_verb() {
    for verb in Verb::ALL {
        let prose = prose::for_verb(verb.name());
        assert!(
            !prose.description.is_empty() && !prose.examples.is_empty(),
            "{verb:?}: add a description and an example to `prose`"
        );
    }
}

#[test]
fn manual_examples_use_only_flags_of_their_verb() {
    for verb in Verb::ALL {
        let names = verb_page(verb).options.into_iter().flat_map(|group| group.entries);
        let names: Vec<_> = names.flat_map(|entry| entry.flag.names()).collect();
        let lines = prose::for_verb(verb.name()).examples.iter().flat_map(|(_, lines)| lines.lines());
        let command = format!("portreeve {} ", verb.name());
        for line in lines.filter_map(|line| line.strip_prefix(&command)) {
            for word in line.split_whitespace().filter(|word| word.starts_with('-')) {
                let name = word.get(..2).filter(|_| !word.starts_with("--")).unwrap_or(word);
                assert!(names.iter().any(|candidate| candidate == name), "{verb:?}: {word} in {line}");
            }
        }
    }
}
