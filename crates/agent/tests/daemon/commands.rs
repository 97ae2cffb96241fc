//! Tests of the commands `init` and `check`.

use std::ffi::OsStr;
use std::fs;
use std::net::UdpSocket;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Output;

use portreeve_crypto::{AuthProtocol, PrivProtocol};
use portreeve_mib::modules::snmpv2_mib::SYS_NAME;
use portreeve_secret::Secret;
use portreeve_smi::ErrorStatus;
use portreeve_snmp_manager::{Credentials, UsmUser};

use crate::fixture::{Manager, TestHome, portreeved};

#[test]
fn init_writes_private_file_that_passes_check_and_prints_no_secret() {
    let home = TestHome::new("init");
    let directory = home.path.join("new");
    let output = init(&directory);
    assert!(output.status.success(), "{output:?}");
    let file = directory.join("portreeved.toml");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::metadata(&directory).unwrap().permissions().mode() & 0o777, 0o700);
    let text = fs::read_to_string(&file).unwrap();
    let pass = text.lines().find_map(|line| line.strip_prefix("auth-pass = ")).unwrap();
    assert!(!String::from_utf8_lossy(&output.stdout).contains(pass.trim_matches('"')));
    let check = check(&file);
    assert!(check.status.success(), "{check:?}");
    assert!(check.stderr.is_empty(), "{check:?}");
}

#[test]
fn agent_with_configuration_from_init_serves_user_over_ipv4_and_ipv6() {
    let home = TestHome::new("init-served");
    init(&home.path);
    let text = fs::read_to_string(home.config()).unwrap();
    let pass = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(key)).unwrap();
        Secret::from(line.trim_start_matches(" = ").trim_matches('"'))
    };
    let (auth, privacy) = (pass("auth-pass"), pass("priv-pass"));
    if UdpSocket::bind("[::1]:0").is_err() {
        return println!("skipped: no IPv6 on this machine");
    }
    // The file is unchanged except for options that require root.
    let text = text.replace(":161\"", &format!(":{}\"", home.port));
    home.write(&text.replace("#[agent]\n", "[agent]\nstate-dir = \"state\"\n"));
    let _agent = home.run();
    for address in ["127.0.0.1", "[::1]"] {
        let user = UsmUser::with_privacy(
            b"ops",
            (AuthProtocol::HmacSha256_192, &auth),
            (PrivProtocol::Aes128, &privacy),
        );
        let mut ops = Manager::open(&format!("udp:{address}:{}", home.port), Credentials::V3(user.unwrap()));
        assert!(!ops.text(&SYS_NAME).is_empty(), "{address}");
        let (status, _) = ops.set_text(&SYS_NAME, "no").unwrap_err();
        assert_eq!(status, ErrorStatus::NoAccess, "the first user may only read");
    }
}

#[test]
fn init_fails_without_overwriting_existing_file() {
    let home = TestHome::new("init-twice");
    home.write("# mine\n");
    let output = init(&home.path);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("hint: "), "{output:?}");
    assert_eq!(fs::read_to_string(home.config()).unwrap(), "# mine\n");
}

#[test]
fn init_generates_different_secrets_each_time() {
    let home = TestHome::new("init-secrets");
    let texts = ["a", "b"].map(|name| {
        init(&home.path.join(name));
        fs::read_to_string(home.path.join(name).join("portreeved.toml")).unwrap()
    });
    assert_ne!(texts[0], texts[1]);
}

#[test]
fn check_prints_every_problem_with_its_line() {
    let home = TestHome::new("check");
    home.write("[agent]\nworkers = 0\n[[listen]]\naddress = \"nowhere\"\n[[user]]\nname = \"a\"\nauth-pass = \"short\"\n");
    let output = check(&home.config());
    assert_eq!(output.status.code(), Some(1));
    let stderr_text = stderr(&output);
    for line in [2, 4, 7] {
        assert!(
            stderr_text.contains(&format!("portreeved.toml:{line}: error: ")),
            "line {line} is missing in:\n{stderr_text}"
        );
    }
}

#[test]
fn check_reports_missing_ssh_and_tls_files() {
    let home = TestHome::new("check-files");
    home.write(
        "[tls]\ncertificate = \"no.pem\"\nkey = \"no.key\"\nauthorities = [\"no-ca.pem\"]\n\
         [ssh]\nhost-keys = [\"no-host-key\"]\nauthorized-keys = [\"keys/%u\"]\n\
         [[listen]]\ntransport = \"tls\"\n[[listen]]\ntransport = \"ssh\"\n",
    );
    let output = stderr(&check(&home.config()));
    let lines: Vec<_> = ["no.key", "no-ca.pem", "no-host-key"].map(|name| output.find(name)).into();
    assert!(lines.iter().all(Option::is_some) && lines.is_sorted(), "{output}");
}

#[test]
fn check_of_missing_configuration_prints_path_and_hint() {
    let home = TestHome::new("check-nothing");
    let output = check(&home.config());
    assert_eq!(output.status.code(), Some(1));
    let stderr_text = stderr(&output);
    assert!(
        stderr_text.contains("portreeved.toml: error: cannot read file")
            && stderr_text.contains("`portreeved init DIR`"),
        "{stderr_text}"
    );
}

#[test]
fn invalid_command_line_exits_with_status_2() {
    let output = portreeved(&[OsStr::new("serve")]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("hint: "), "{output:?}");
}

fn init(directory: &Path) -> Output {
    portreeved(&[OsStr::new("init"), directory.as_os_str()])
}

fn check(file: &Path) -> Output {
    portreeved(&[OsStr::new("check"), file.as_os_str()])
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn agent_warns_when_open_file_limit_is_too_low_for_connections() {
    let home = TestHome::with("files", "[limits]\nconnections = 400\n");
    let agent = home.spawn_with_files(300);
    agent.await_log("the limit of open files is too low");
    agent.await_log("limit=300");
    agent.await_log("connections=400");
    agent.await_log("LimitNOFILE");
    agent.end();
    let content = home.spawn_with_files(600);
    content.await_log("agent started");
    assert!(!content.log().contains("LimitNOFILE"), "{}", content.log());
}
