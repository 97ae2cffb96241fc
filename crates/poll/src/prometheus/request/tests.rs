use portreeve_config::NoFiles;

use super::authorize;
use crate::{PollPlan, configuration::parse, prometheus::http};

const FILE: &str = r#"
[prometheus]
targets = ["192.0.2.0/24", "2001:db8::/32"]
credentials = ["public_v2"]
[credentials.public_v2]
version = "2c"
community = "public"
[credentials.private]
version = "2c"
community = "private"
[objects.system]
get = "sysUpTime.0"
[targets.core]
address = "198.51.100.1"
credentials = "private"
objects = "system"
"#;

fn plan(text: &str) -> PollPlan {
    parse(text, "poll.toml".as_ref(), &NoFiles).unwrap().0
}

/// Returns the address and the group names of an authorized scrape, or the status of the error
/// response.
fn authorized(plan: &PollPlan, query: &str) -> Result<(String, String), u16> {
    let head = http::parse(format!("GET /snmp?{query} HTTP/1.1\r\n\r\n").as_bytes()).unwrap().ok().unwrap();
    let scrape_request = authorize(&head, plan).map_err(|response| response.status)?;
    let names: Vec<String> = scrape_request.modules.into_iter().map(|(name, _)| name).collect();
    Ok((scrape_request.address.host, names.join(",")))
}

#[test]
fn credentials_are_sent_to_allowed_targets_only() {
    let plan = plan(FILE);
    let at = |host: &str, module: &str| Ok((host.to_owned(), module.to_owned()));
    for (query, expected) in [
        ("target=core", at("198.51.100.1", "objects")),
        ("target=198.51.100.1", at("198.51.100.1", "objects")),
        ("target=core&auth=private&module=system", at("198.51.100.1", "system")),
        ("target=core&auth=public_v2", at("198.51.100.1", "objects")),
        ("target=192.0.2.9", at("192.0.2.9", "if_mib")),
        ("target=192.0.2.9&module=if_mib,system", at("192.0.2.9", "if_mib,system")),
        ("target=%5B2001:db8::9%5D:1161", at("2001:db8::9", "if_mib")),
        // A credential must not be sent to other addresses, whose owners could read it.
        ("target=192.0.2.9&auth=private", Err(403)),
        ("target=198.51.100.1:1161&auth=private", Err(403)),
        ("target=203.0.113.1", Err(403)),
        ("target=::ffff:203.0.113.1", Err(403)),
        ("target=core&auth=unknown", Err(400)),
        ("target=core&module=nothing", Err(400)),
        ("target=192.0.2.9:0", Err(400)),
        ("target=core&target=core", Err(400)),
        ("auth=public_v2", Err(400)),
    ] {
        assert_eq!(authorized(&plan, query), expected, "{query}");
    }
}

#[test]
fn only_configured_targets_may_be_scraped_by_default() {
    let lists = "targets = [\"192.0.2.0/24\", \"2001:db8::/32\"]\ncredentials = [\"public_v2\"]\n";
    let plan = plan(&FILE.replace(lists, ""));
    assert!(authorized(&plan, "target=core").is_ok());
    for query in ["target=192.0.2.9", "target=core&auth=public_v2", "target=localhost"] {
        assert_eq!(authorized(&plan, query), Err(403), "{query}");
    }
}
