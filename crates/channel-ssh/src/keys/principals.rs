//! The format of sshd's AuthorizedPrincipalsFile: one name per line, optionally preceded by options
//! as in authorized_keys.

use super::options::KeyOptions;

/// A principal that a certificate may contain instead of the user's own name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Principal {
    /// The name of the principal.
    pub name: String,
    /// The restrictions on logins with this principal.
    pub options: KeyOptions,
}

impl Principal {
    /// Parses a file. Returns the valid principals, and the numbers of rejected lines, counted from
    /// 1.
    pub fn parse(text: &str) -> (Vec<Self>, Vec<usize>) {
        let (mut principals, mut refused) = (Vec::new(), Vec::new());
        for (number, line) in (1..).zip(text.lines().take(MAX_LINES)) {
            let line = line.split_once('#').map_or(line, |(line, _)| line).trim();
            if line.is_empty() {
                continue;
            }
            match Self::parse_line(line) {
                Some(principal) => principals.push(principal),
                None => refused.push(number),
            }
        }
        (principals, refused)
    }

    fn parse_line(line: &str) -> Option<Self> {
        let Some((options, name)) = line.rsplit_once([' ', '\t']) else {
            return Some(Self { name: line.to_owned(), options: KeyOptions::default() });
        };
        let options = KeyOptions::parse(options.trim_end()).ok()?;
        // The options `cert-authority` and `principals` apply to keys only, so a line with either
        // option is rejected.
        let about_names = !options.is_authority && options.principals.is_none();
        about_names.then(|| Self { name: name.to_owned(), options })
    }
}

/// Maximum number of lines that are read.
const MAX_LINES: usize = 10_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn principals_file_lines_are_parsed_with_and_without_options() {
        let text = "ops\n# comment\n  oncall # at night\nfrom=\"192.0.2.0/24\",restrict spare\n\nfrom=\"x y\n\
                    command=\"/bin/true\" backup\ncert-authority ca\n";
        let (principals, refused) = Principal::parse(text);
        let names: Vec<_> = principals.iter().map(|principal| principal.name.as_str()).collect();
        assert_eq!(names, ["ops", "oncall", "spare"]);
        assert!(
            principals
                .iter()
                .all(|principal| principal.options.from.is_some() == (principal.name == "spare"))
        );
        assert_eq!(refused, [6, 7, 8]);
    }
}
