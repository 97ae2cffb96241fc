// Reads and writes with node's net-snmp. Reads settings as JSON from stdin. Prints a line `ok TITLE`
// or `FAIL TITLE: REASON` for each check.
"use strict";

const assert = require("assert");
const fs = require("fs");
const path = require("path");
const snmp = require(path.join(process.argv[2], "net-snmp"));

const SYS_DESCR = "1.3.6.1.2.1.1.1.0";
const SYS_UP_TIME = "1.3.6.1.2.1.1.3.0";
const SYS_CONTACT = "1.3.6.1.2.1.1.4.0";
const IF_DESCR = "1.3.6.1.2.1.2.2.1.2";

const AUTHS = {
  "": undefined, MD5: snmp.AuthProtocols.md5, SHA: snmp.AuthProtocols.sha, "SHA-224": snmp.AuthProtocols.sha224,
  "SHA-256": snmp.AuthProtocols.sha256, "SHA-384": snmp.AuthProtocols.sha384, "SHA-512": snmp.AuthProtocols.sha512,
};
const PRIVS = {
  "": undefined, DES: snmp.PrivProtocols.des, AES: snmp.PrivProtocols.aes,
  "AES-256": snmp.PrivProtocols.aes256b, "AES-256-C": snmp.PrivProtocols.aes256r,
};

const settings = JSON.parse(fs.readFileSync(0, "utf8"));
const [host, port] = settings.udp.split(":");
const options = { port: Number(port), timeout: 20000, retries: 0 };

async function main() {
  for (const [title, version] of [["v1", snmp.Version1], ["v2c", snmp.Version2c]]) {
    await check(`${title} GET reads two objects`, read, () => byCommunity(settings.read, version));
    await check(`${title} SET changes sysContact`, write, () => byCommunity(settings.write, version), title);
    await check(`${title} walk reads a subtree`, walk, () => byCommunity(settings.read, version));
  }
  for (const user of settings.users) {
    const title = ["v3 GET reads two objects at", user.level, user.auth, user.priv].filter(Boolean).join(" ");
    if (!(user.auth in AUTHS) || !(user.priv in PRIVS)) {
      console.log(`skip ${title}: net-snmp does not support the algorithm`);
    } else {
      await check(title, read, () => byUser(user));
    }
  }
  await check("v3 SET changes sysContact", write, () => byUser(settings.writer), "v3");
  await check("v3 walk reads a subtree", walk, () => byUser(settings.writer));
  await check("v3 a wrong password is reported", getFails, () => byUser({ ...settings.writer, auth_pass: "not the password" }));
}

function byCommunity(community, version) {
  return snmp.createSession(host, community, { ...options, version });
}

function byUser(user) {
  return snmp.createV3Session(host, {
    name: user.name,
    level: snmp.SecurityLevel[user.level],
    authProtocol: AUTHS[user.auth], authKey: user.auth_pass,
    privProtocol: PRIVS[user.priv], privKey: user.priv_pass,
  }, { ...options, version: snmp.Version3 });
}

async function check(title, action, open, ...args) {
  const session = open();
  session.on("error", () => {});
  try {
    await action(session, ...args);
    console.log(`ok ${title}`);
  } catch (error) {
    console.log(`FAIL ${title}: ${error}`.replace(/\n/g, " "));
  } finally {
    session.close();
  }
}

// Calls the library and returns a promise of the varbinds. An error varbind rejects the promise.
function call(session, method, ...args) {
  return new Promise((resolve, reject) => session[method](...args, (error, varbinds) => {
    const bad = error || varbinds.filter(snmp.isVarbindError).map(snmp.varbindError)[0];
    return bad ? reject(bad) : resolve(varbinds);
  }));
}

async function read(session) {
  const varbinds = await call(session, "get", [SYS_UP_TIME, SYS_DESCR]);
  assert.deepStrictEqual(varbinds.map((varbind) => varbind.oid), [SYS_UP_TIME, SYS_DESCR]);
  assert.strictEqual(varbinds[0].type, snmp.ObjectType.TimeTicks);
  assert(varbinds[1].value.length > 0);
}

async function write(session, title) {
  const value = `node ${title}`;
  await call(session, "set", [{ oid: SYS_CONTACT, type: snmp.ObjectType.OctetString, value }]);
  const varbinds = await call(session, "get", [SYS_CONTACT]);
  assert.strictEqual(varbinds[0].value.toString(), value);
}

async function walk(session) {
  const names = [];
  await new Promise((resolve, reject) => session.subtree(IF_DESCR, 10,
    (varbinds) => names.push(...varbinds.map((varbind) => varbind.oid)),
    (error) => (error ? reject(error) : resolve())));
  assert(names.length > 0, "no interfaces");
  assert(names.every((name) => name.startsWith(`${IF_DESCR}.`)));
}

async function getFails(session) {
  await assert.rejects(call(session, "get", [SYS_UP_TIME]), /digest/i);
}

main();
