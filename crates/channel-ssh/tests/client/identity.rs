//! Whether we are let in, and with what.

use portreeve_channel::Step;
use portreeve_channel_ssh::client::Nobody;

use crate::{
    answers::Answers,
    sshd::{Home, echo, refused, try_connect},
};

//= rfc5592#5.3-3
//= type=test
#[test]
fn a_key_that_the_server_does_not_list_is_refused_with_what_to_do() {
    let Some(home) = Home::new() else { return };
    let server = home.sshd("a", "");
    home.know(&server);
    home.keygen(".ssh/other", &["-t", "ed25519", "-N", ""]);
    let error =
        refused(server.port, &home.settings("IdentityFile ~/.ssh/other\nIdentityFile ~/.ssh/missing"));
    assert_eq!(error.step, Step::ClientIdentity);
    assert!(error.cause.contains("takes publickey, and was shown 1 of our keys"), "{error}");
    assert!(error.cause.contains("missing: no such file"), "{error}");
    assert!(error.cure.unwrap().contains("authorized_keys"));
}

#[test]
fn keys_of_the_common_kinds_are_let_in() {
    let Some(home) = Home::new() else { return };
    for kind in ["ed25519", "ecdsa", "rsa"] {
        let key = format!(".ssh/mine_{kind}");
        home.keygen(&key, &["-t", kind, "-N", ""]);
        let server = home.sshd(kind, "");
        home.know(&server);
        home.write("authorized_keys", &home.text(&format!("{key}.pub")));
        echo(server.port, &home.settings(&format!("IdentityFile ~/{key}")), &Nobody)
            .unwrap_or_else(|error| panic!("{kind}: {error}"));
    }
}

#[test]
fn keys_in_pem_are_let_in() {
    let Some(home) = Home::new() else { return };
    let server = home.sshd("a", "");
    home.know(&server);
    let forms = [("rsa", "PEM"), ("rsa", "PKCS8"), ("ecdsa", "PEM"), ("ecdsa", "PKCS8")];
    for (kind, form, phrase) in
        forms.into_iter().flat_map(|(kind, form)| ["", "open sesame"].map(|phrase| (kind, form, phrase)))
    {
        let key = format!(".ssh/{kind}_{form}_{}", phrase.len());
        home.keygen(&key, &["-t", kind, "-m", form, "-N", phrase]);
        assert!(!home.text(&key).contains("OPENSSH"), "{key}");
        home.write("authorized_keys", &home.text(&format!("{key}.pub")));
        let settings = home.settings(&format!("IdentityFile ~/{key}"));
        // The way in which these are locked is read for RSA alone.
        if (kind, form, phrase) == ("ecdsa", "PEM", "open sesame") {
            let error = refused(server.port, &settings);
            assert!(error.cause.contains("ssh-keygen -p -f converts"), "{error}");
            continue;
        }
        let helper = Answers::new(&["wrong", phrase]);
        echo(server.port, &settings, &helper).unwrap_or_else(|error| panic!("{key}: {error}"));
        let asked = helper.asked.lock().unwrap().len();
        assert_eq!(asked, if phrase.is_empty() { 0 } else { 2 }, "{key}");
        if !phrase.is_empty() {
            assert!(refused(server.port, &settings).cause.contains("nobody gives its pass phrase"));
            std::fs::remove_file(home.path(&format!("{key}.pub"))).unwrap();
            let error = refused(server.port, &settings);
            assert!(error.cause.contains("no .pub beside it"), "{error}");
            assert!(error.cure.unwrap().contains("the key that is named"));
        }
    }
}

#[test]
fn a_locked_key_is_unlocked_by_whoever_is_asked() {
    let Some(home) = Home::new() else { return };
    home.keygen(".ssh/locked", &["-t", "ed25519", "-N", "open sesame"]);
    let server = home.sshd("a", "");
    home.know(&server);
    home.write("authorized_keys", &home.text(".ssh/locked.pub"));
    let settings = home.settings("IdentityFile ~/.ssh/locked");
    let helper = Answers::new(&["wrong", "open sesame"]);
    echo(server.port, &settings, &helper).unwrap();
    let asked = helper.asked.lock().unwrap();
    assert_eq!(asked.len(), 2);
    assert!(asked.iter().all(|question| question.starts_with("PassPhrase")), "{asked:?}");
    let error = refused(server.port, &settings);
    assert_eq!(error.step, Step::ClientIdentity);
    assert!(error.cause.contains("nobody gives its pass phrase"), "{error}");
    let hopeless = Answers::new(&["a", "b", "c", "d"]);
    let error = try_connect(server.port, &settings, &hopeless).err().unwrap();
    assert!(error.cause.contains("the pass phrase is wrong"), "{error}");
}

#[test]
fn a_locked_key_that_the_server_does_not_want_is_nobody_s_business() {
    let Some(home) = Home::new() else { return };
    home.keygen(".ssh/locked", &["-t", "ed25519", "-N", "open sesame"]);
    let server = home.sshd("a", "");
    home.know(&server);
    let helper = Answers::new(&["open sesame"]);
    echo(server.port, &home.settings("IdentityFile ~/.ssh/locked\nIdentityFile ~/.ssh/id_ed25519"), &helper)
        .unwrap();
    assert!(helper.asked.lock().unwrap().is_empty());
}

#[test]
fn the_agent_s_keys_are_used() {
    let Some(home) = Home::new() else { return };
    home.keygen("held", &["-t", "ed25519", "-N", ""]);
    home.keygen("held_rsa", &["-t", "rsa", "-N", ""]);
    let agent = home.agent(&["held_rsa", "held"]);
    let server = home.sshd("a", "");
    home.know(&server);
    for key in ["held", "held_rsa"] {
        home.write("authorized_keys", &home.text(&format!("{key}.pub")));
        let with_agent = format!("IdentityAgent {}\n", agent.socket.display());
        echo(server.port, &home.settings(&with_agent), &Nobody)
            .unwrap_or_else(|error| panic!("{key}: {error}"));
        // Named by its public half alone.
        let named =
            format!("{with_agent}IdentitiesOnly yes\nIdentityFile {}.pub\n", home.path(key).display());
        echo(server.port, &home.settings(&named), &Nobody).unwrap();
        let kept_back = format!("{with_agent}IdentitiesOnly yes\nIdentityFile ~/.ssh/id_ed25519\n");
        assert_eq!(refused(server.port, &home.settings(&kept_back)).step, Step::ClientIdentity);
        assert_eq!(refused(server.port, &home.settings("IdentityAgent none")).step, Step::ClientIdentity);
    }
}

#[test]
fn an_agent_that_is_gone_is_told_of() {
    let Some(home) = Home::new() else { return };
    let server = home.sshd("a", "");
    home.know(&server);
    home.write("authorized_keys", "");
    let error = refused(server.port, &home.settings("IdentityAgent /nowhere"));
    assert!(error.cause.contains("the agent at /nowhere: "), "{error}");
}

#[test]
fn certificates_let_us_in_from_file_beside_the_key_and_with_the_agent() {
    let Some(home) = Home::new() else { return };
    home.keygen("ca", &["-t", "ed25519", "-N", ""]);
    let server = home.sshd("a", &format!("TrustedUserCAKeys {}", home.path("ca.pub").display()));
    home.know(&server);
    home.write("authorized_keys", "");
    let user = portreeve_channel_ssh::client::Local::current().user;
    assert_eq!(refused(server.port, &home.settings("")).step, Step::ClientIdentity);

    home.sign("ca", ".ssh/id_ed25519", &["-n", &user, "-V", "-1h:+1h"]);
    echo(server.port, &home.settings(""), &Nobody).unwrap();

    std::fs::rename(home.path(".ssh/id_ed25519-cert.pub"), home.path("certificate")).unwrap();
    assert_eq!(refused(server.port, &home.settings("")).step, Step::ClientIdentity);
    let named = format!("CertificateFile {}", home.path("certificate").display());
    echo(server.port, &home.settings(&named), &Nobody).unwrap();

    let agent = home.agent(&[".ssh/id_ed25519"]);
    std::fs::remove_file(home.path(".ssh/id_ed25519")).unwrap();
    let with_agent = format!("{named}\nIdentityAgent {}", agent.socket.display());
    echo(server.port, &home.settings(&with_agent), &Nobody).unwrap();
    drop(agent);

    // An agent that holds the certificate too.
    home.keygen(".ssh/held", &["-t", "ed25519", "-N", ""]);
    home.sign("ca", ".ssh/held", &["-n", &user, "-V", "-1h:+1h"]);
    std::fs::remove_file(home.path("agent")).unwrap_or_default();
    let agent = home.agent(&[".ssh/held"]);
    for name in [".ssh/held", ".ssh/held-cert.pub"] {
        std::fs::remove_file(home.path(name)).unwrap();
    }
    let with_agent = format!("IdentityAgent {}\n", agent.socket.display());
    for named in ["", "IdentityFile ~/.ssh/held"] {
        echo(server.port, &home.settings(&format!("{with_agent}{named}")), &Nobody).unwrap();
    }
}

#[test]
fn a_server_that_is_tired_of_our_keys_is_answered_with_identities_only() {
    let Some(home) = Home::new() else { return };
    let server = home.sshd("a", "MaxAuthTries 3");
    home.know(&server);
    let mut config = String::new();
    for number in 0..6 {
        home.keygen(&format!(".ssh/k{number}"), &["-t", "ed25519", "-N", ""]);
        config += &format!("IdentityFile ~/.ssh/k{number}\n");
    }
    let error = refused(server.port, &home.settings(&config));
    assert_eq!(error.step, Step::ClientIdentity);
    assert!(error.cause.contains("the server ended the connection after"), "{error}");
    assert!(error.cure.unwrap().contains("IdentitiesOnly"));
}
