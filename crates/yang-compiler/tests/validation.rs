//! The verdict of `portreeve-yang-tree` on data is that of libyang.

#![allow(unsafe_code, reason = "libyang is a C library")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

use std::{
    cell::RefCell,
    collections::BTreeSet,
    ffi::{CStr, CString},
    fs, ptr,
    sync::Arc,
};

use libyang5_sys as sys;
use portreeve_yang::Schema;
use portreeve_yang_compiler::{CompileRequest, compile};
use portreeve_yang_text::{read::DataReader, xml::Tokenizer};
use portreeve_yang_tree::{Editor, FaultReason, Operation, Tree, Validator};
use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};

const MODULE: &CStr =
    match CStr::from_bytes_with_nul(concat!(include_str!("validation/v.yang"), "\0").as_bytes()) {
        Ok(text) => text,
        Err(_) => panic!("the module has a NUL"),
    };

/// A context of libyang with the module.
struct Oracle(*mut sys::ly_ctx);

impl Oracle {
    fn new() -> Self {
        let mut context = ptr::null_mut();
        // SAFETY: a null directory stands for none, and `context` is valid for writing.
        let result = unsafe {
            sys::ly_log_options(sys::LY_LOSTORE);
            sys::ly_ctx_new(ptr::null(), sys::LY_CTX_NO_YANGLIBRARY, &raw mut context)
        };
        assert_eq!(result, sys::LY_ERR::LY_SUCCESS);
        // SAFETY: the context is valid, the text ends with NUL, and null stands for no result.
        let result = unsafe {
            sys::lys_parse_mem(context, MODULE.as_ptr(), sys::LYS_INFORMAT::LYS_IN_YANG, ptr::null_mut())
        };
        let oracle = Self(context);
        assert_eq!(result, sys::LY_ERR::LY_SUCCESS, "{:?}", oracle.messages());
        oracle
    }

    /// Returns the paths and messages of all faults.
    fn validate(&self, xml: &str) -> Vec<(String, String)> {
        let xml = CString::new(xml).unwrap();
        let mut tree = ptr::null_mut();
        // SAFETY: the context is valid, the text ends with NUL, and `tree` is valid for writing.
        let result = unsafe {
            sys::lyd_parse_data_mem(
                self.0,
                xml.as_ptr(),
                sys::LYD_FORMAT::LYD_XML,
                sys::LYD_PARSE_STRICT,
                sys::LYD_VALIDATE_NO_STATE | sys::LYD_VALIDATE_MULTI_ERROR,
                &raw mut tree,
            )
        };
        // SAFETY: the tree is null or was returned by libyang, and is not used after this call.
        unsafe { sys::lyd_free_all(tree) };
        let messages = self.messages();
        assert_eq!(result == sys::LY_ERR::LY_SUCCESS, messages.is_empty(), "{messages:?}");
        messages
    }

    /// Removes and returns the messages, each with its path.
    fn messages(&self) -> Vec<(String, String)> {
        let mut messages = Vec::new();
        // SAFETY: the context is valid.
        let mut next = unsafe { sys::ly_err_first(self.0) };
        while !next.is_null() {
            // SAFETY: libyang keeps the list until it is cleaned below.
            let item = unsafe { next.read() };
            let text = |raw: *const std::ffi::c_char| match raw.is_null() {
                true => String::new(),
                // SAFETY: texts of messages end with NUL.
                false => unsafe { CStr::from_ptr(raw) }.to_string_lossy().into_owned(),
            };
            messages.push((text(item.data_path), text(item.msg)));
            next = item.next;
        }
        // SAFETY: the context is valid, and null stands for all messages.
        unsafe { sys::ly_err_clean(self.0, ptr::null_mut()) };
        messages
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        // SAFETY: the context is valid and is not used after this call.
        unsafe { sys::ly_ctx_destroy(self.0) };
    }
}

fn schema() -> Arc<Schema> {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("v.yang");
    fs::write(&file, include_str!("validation/v.yang")).unwrap();
    let request =
        CompileRequest { modules: vec![file.to_str().unwrap().into()], ..CompileRequest::default() };
    Arc::new(compile(&request).unwrap())
}

fn read(schema: &Arc<Schema>, xml: &str) -> Tree {
    let xml = format!("<data>{xml}</data>");
    let (mut tokenizer, mut reader) = (Tokenizer::new(), DataReader::new());
    let mut editor = Editor::new(schema.clone(), &Tree::new(), Operation::Merge);
    let mut octets = xml.as_bytes();
    tokenizer.next_event(&mut octets).unwrap();
    while !octets.is_empty() {
        let Some(event) = tokenizer.next_event(&mut octets).unwrap() else { break };
        if octets.is_empty() {
            break;
        }
        reader.read(event, schema, &mut editor).unwrap();
    }
    editor.finish().unwrap()
}

/// Octets that decide what is in a document. At their end, nothing more is.
struct Choices<'c>(std::slice::Iter<'c, u8>);

impl Choices<'_> {
    /// Returns a number below `end`.
    fn number(&mut self, end: u8) -> u8 {
        self.0.next().map_or(0, |octet| octet % end)
    }

    /// Returns nothing in one of `rarity` cases, or else one of the values.
    fn value<'v>(&mut self, rarity: u8, values: &[&'v str]) -> Option<&'v str> {
        let is_absent = self.number(rarity) == 0;
        let number = self.number(u8::try_from(values.len()).unwrap());
        if is_absent { None } else { values.get(usize::from(number)).copied() }
    }

    /// Appends an element with a value, or nothing in one of `rarity` cases.
    fn leaf(&mut self, xml: &mut String, name: &str, rarity: u8, values: &[&str]) {
        if let Some(value) = self.value(rarity, values) {
            *xml += &format!("<{name}>{value}</{name}>");
        }
    }
}

/// Returns a document of `config` nodes of the module. Most documents have some faults.
fn document(choices: &[u8]) -> String {
    let (mut at, mut xml) = (Choices(choices.iter()), String::new());
    let mut add = |name: &str, content: &str| {
        xml += &format!("<{name} xmlns='urn:v' xmlns:v='urn:v'>{content}</{name}>");
    };
    for name in ["g0", "g1", "g2", "7"].iter().take(usize::from(at.number(5))) {
        let mut group = format!("<name>{name}</name>");
        at.leaf(&mut group, "alias", 3, &["g", "0", "1"]);
        add("group", &group);
    }
    for a in 0..at.number(3) {
        for b in 0..at.number(3) {
            let mut pair = format!("<a>{a}</a><b>{b}</b>");
            at.leaf(&mut pair, "c", 3, &["0", "1"]);
            add("pair", &pair);
        }
    }
    // libyang does not find the defaults of a leaf-list without entries.
    let modes = at.value(u8::MAX, &["auto", "fixed", "auto</mode><mode>fixed"]).unwrap_or("auto");
    add("modes", &format!("<mode>{modes}</mode>"));
    if let Some(port) = at.value(2, &["80", "81"]) {
        add("some-port", port);
    }
    if let Some(shape) = at.value(2, &["round", "square"]) {
        add("some-shape", shape);
    }
    for id in 0..at.number(4) {
        add("item", &format!("<id>{id}</id>{}", item(&mut at)));
    }
    xml
}

fn item(at: &mut Choices<'_>) -> String {
    let mut xml = String::new();
    at.leaf(&mut xml, "owner", 8, &["o"]);
    at.leaf(&mut xml, "host", 2, &["h", "i"]);
    if at.number(2) > 0 {
        xml += "<net>";
        at.leaf(&mut xml, "port", 2, &["80", "81"]);
        xml += "</net>";
    }
    match at.number(8) {
        0 => {}
        1 => xml += "<y>1</y>",
        2 => xml += "<y>1</y><inner><z>1</z></inner>",
        3 => xml += "<inner><z>1</z></inner>",
        _ => xml += "<x>1</x>",
    }
    match at.number(4) {
        0 => xml += "<color>c</color>",
        1 => xml += "<shape>square</shape>",
        _ => {}
    }
    if at.number(3) == 1 {
        xml += "<options>";
        (0..at.number(4)).for_each(|label| xml += &format!("<label>{label}</label>"));
        at.leaf(&mut xml, "modes-of", 2, &["auto", "fixed"]);
        xml += "</options>";
    }
    if at.number(3) == 1 {
        xml += "<extra>";
        match at.number(3) {
            0 => xml += "<other>1</other>",
            1 => at.leaf(&mut xml, "fallback", 9, &["g", "0"]),
            _ => {}
        }
        xml += "</extra>";
    }
    let numbers = ["0", "1", "2"];
    at.leaf(&mut xml, "group-of", 2, &["g0", "g1"]);
    for name in ["g0", "g1", "g3"].iter().take(usize::from(at.number(4))) {
        xml += &format!("<groups-of>{name}</groups-of>");
    }
    at.leaf(&mut xml, "alias-of", 2, &numbers);
    at.leaf(&mut xml, "first", 2, &numbers);
    at.leaf(&mut xml, "second", 2, &numbers);
    at.leaf(&mut xml, "number", 2, &numbers);
    at.leaf(&mut xml, "c-of-first", 2, &numbers);
    at.leaf(&mut xml, "c-of-second", 2, &numbers);
    at.leaf(&mut xml, "c-of-number", 2, &numbers);
    at.leaf(&mut xml, "mode-of", 2, &["auto", "fixed"]);
    at.leaf(&mut xml, "own-host", 2, &["h", "i"]);
    at.leaf(&mut xml, "group-or-number", 2, &["7", "8", "g0"]);
    let instances = [
        "/v:item[v:id='1']/v:shape",
        "/v:item[v:id='0']",
        "/v:modes/v:mode[.='fixed']",
        "/v:group[v:name='g1']/v:alias",
        "/v:item[v:id='0']/v:options/v:label[.='1']",
    ];
    at.leaf(&mut xml, "instance", 2, &instances);
    xml
}

/// Returns the faults that libyang finds: their kinds and paths.
fn theirs(oracle: &Oracle, xml: &str) -> BTreeSet<String> {
    let fault = |(path, text): &(String, String)| {
        let name = text.split('"').nth(1).unwrap_or_default();
        match text.split(' ').take(2).collect::<Vec<_>>().as_slice() {
            ["Mandatory", "node"] => format!("mandatory {path}/{name}"),
            ["Mandatory", "choice"] => format!("choice {path}"),
            ["Too", amount] => format!("{amount} {name}"),
            ["Unique", _] => "unique".to_owned(),
            ["Invalid", "leafref" | "instance-identifier" | "union"] => format!("instance {path}"),
            _ => format!("{text} {path}"),
        }
    };
    oracle.validate(xml).iter().map(fault).collect()
}

/// Returns the faults that the validator finds, in the same form.
fn ours(schema: &Arc<Schema>, validator: &Validator, xml: &str) -> BTreeSet<String> {
    let faults = validator.validate(&read(schema, xml));
    let fault = |fault: &portreeve_yang_tree::Fault| {
        let path = fault.path.display(schema).to_string();
        let name = &schema.node(fault.path.node()).name;
        match fault.reason {
            FaultReason::MandatoryMissing => format!("mandatory {path}"),
            FaultReason::ChoiceMissing(_) => format!("choice {path}"),
            FaultReason::TooFewElements => format!("few {name}"),
            FaultReason::TooManyElements => format!("many {name}"),
            FaultReason::NotUnique(_) => "unique".to_owned(),
            FaultReason::InstanceRequired => format!("instance {path}"),
            FaultReason::SeveralCases(_) => format!("cases {path}"),
        }
    };
    faults.iter().map(fault).collect()
}

#[test]
fn verdict_is_that_of_libyang() {
    let (oracle, schema) = (Oracle::new(), schema());
    let validator = Validator::new(schema.clone());
    let seen = RefCell::new(BTreeSet::new());
    let documents = prop::collection::vec(any::<u8>(), 0..120);
    let result = TestRunner::new(Config::with_cases(1500)).run(&documents, |choices| {
        let xml = document(&choices);
        let (ours, theirs) = (ours(&schema, &validator, &xml), theirs(&oracle, &xml));
        // libyang reports no other faults than the first of an instance-identifier.
        match theirs.iter().find(|fault| fault.ends_with("/instance")) {
            Some(fault) => prop_assert!(ours.contains(fault), "{} in {:?}: {}", fault, ours, xml),
            None => prop_assert_eq!(&ours, &theirs, "{}", xml),
        }
        let kind = |fault: &String| fault.split(' ').next().unwrap_or_default().to_owned();
        seen.borrow_mut().extend(theirs.iter().map(kind));
        if theirs.is_empty() && xml.contains("<item") {
            seen.borrow_mut().insert("valid".to_owned());
        }
        Ok(())
    });
    result.unwrap();
    let seen: Vec<_> = seen.into_inner().into_iter().collect();
    assert_eq!(seen, ["choice", "few", "instance", "mandatory", "many", "unique", "valid"]);
}
