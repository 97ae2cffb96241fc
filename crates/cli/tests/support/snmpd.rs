//! Runs Debian's `snmpd` on a free port, with its own directory and configuration, until the test
//! ends.

use std::{
    env, fs,
    net::{TcpListener, UdpSocket},
    path::PathBuf,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use super::{find_program, portreeve};

pub struct Snmpd {
    /// `127.0.0.1:port`, for UDP and TCP.
    pub address: String,
    child: Child,
    /// The directory of the agent, removed on drop.
    pub folder: PathBuf,
}

impl Snmpd {
    /// Starts the agent; `None` if it is not installed.
    pub fn start(name: &str) -> Option<Self> {
        let path = find_program("snmpd")?;
        let folder = env::temp_dir().join(format!("portreeve-{name}-{}", std::process::id()));
        let configuration = folder.join("snmpd.conf");
        // Another program may take the free port before snmpd binds it.
        for _ in 0..5 {
            let address = free_address();
            fs::create_dir_all(folder.join("state")).unwrap();
            fs::write(&configuration, CONFIGURATION).unwrap();
            let child = Command::new(&path)
                .args(["-f", "-Lf", "/dev/null", "-C", "-c"])
                .arg(&configuration)
                .arg(format!("udp:{address},tcp:{address},unix:{}", folder.join(SOCKET).display()))
                .env("SNMP_PERSISTENT_DIR", folder.join("state"))
                .env("SNMPCONFPATH", &folder)
                .env("MIBS", "")
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let mut snmpd = Self { address, child, folder: folder.clone() };
            if snmpd.wait_until_ready() {
                return Some(snmpd);
            }
        }
        panic!("snmpd does not respond on any port");
    }

    /// Returns the path of the agent's Unix socket.
    pub fn socket(&self) -> String {
        self.folder.join(SOCKET).display().to_string()
    }

    /// Waits a few seconds until the agent responds; returns false if it does not, or has exited.
    fn wait_until_ready(&mut self) -> bool {
        for _ in 0..40 {
            let line = format!("get -v2c -c public -r0 -t0.2 {} .1.3.6.1.2.1.1.3.0", self.address);
            if portreeve(&line).code == Some(0) {
                return true;
            }
            if self.child.try_wait().unwrap().is_some() {
                return false;
            }
            thread::sleep(Duration::from_millis(50));
        }
        false
    }
}

/// Returns a loopback address whose port is free for UDP and TCP.
fn free_address() -> String {
    loop {
        let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
        let address = udp.local_addr().unwrap();
        if TcpListener::bind(address).is_ok() {
            return address.to_string();
        }
    }
}

impl Drop for Snmpd {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

const SOCKET: &str = "snmpd.socket";
/// `rocommunity` and `rwcommunity` do not apply to the Unix socket.
const CONFIGURATION: &str = "
rocommunity public
rwcommunity private
com2secunix local default public
group local v2c local
view all included .1
access local \"\" any noauth exact all all none
sysDescr a test
sysName name
exactEngineID 0x80000000010203040506
createUser anon
createUser md5des MD5 authentic1 DES private12
createUser shaaes SHA authentic1 AES private12
createUser sha256aes SHA-256 authentic1 AES private12
createUser sha512aes256 SHA-512 authentic1 AES-256 private12
createUser shaaes256 SHA authentic1 AES-256 private12
createUser authonly SHA-256 authentic1
rwuser anon noauth
rwuser md5des noauth
rwuser shaaes noauth
rwuser sha256aes noauth
rwuser sha512aes256 noauth
rwuser shaaes256 noauth
rwuser authonly auth
rwuser jim noauth
disk / 1000
";
