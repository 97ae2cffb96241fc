//! A recorded machine, for tests.

use std::{io, path::Path};

use super::{MachineSource, ProcText, Usage};

/// A machine whose files and file systems are recorded. Tests may change the texts between two
/// reads.
pub(crate) struct RecordedMachine {
    pub(crate) statistics: String,
    pub(crate) mounts: String,
}

impl Default for RecordedMachine {
    fn default() -> Self {
        Self { statistics: STATISTICS.to_owned(), mounts: MOUNTS.to_owned() }
    }
}

impl MachineSource for RecordedMachine {
    fn read(&mut self, which: ProcText, text: &mut String) -> io::Result<()> {
        text.push_str(match which {
            ProcText::Memory => MEMORY,
            ProcText::Mounts => &self.mounts,
            ProcText::Load => "1.87 0.07 12.5 2/119 29798\n",
            ProcText::Statistics => &self.statistics,
            ProcText::UpTime => "13084.74 9852.62\n",
            ProcText::Processors => {
                "processor\t: 0\nmodel name\t: A Processor\n\nprocessor\t: 1\nmodel name\t: A Processor\n"
            }
        });
        Ok(())
    }

    fn processes(&mut self) -> io::Result<u32> {
        Ok(89)
    }

    fn usage(&mut self, path: &Path) -> io::Result<Usage> {
        let full = |block_size, blocks, free, available| Usage {
            block_size,
            blocks,
            free,
            available,
            inodes: 1000,
            free_inodes: 750,
        };
        match path.to_str() {
            Some("/") => Ok(full(4096, 66_053_021, 55_879_676, 13_701_971)),
            Some("/dev/shm" | "/new disk") => Ok(full(4096, 6_171_023, 6_171_023, 6_171_023)),
            // The size of this file system is 4 PiB.
            Some("/srv") => Ok(full(4096, 1 << 40, 1 << 39, 1 << 39)),
            Some("/root/secret") => Err(io::ErrorKind::PermissionDenied.into()),
            Some("/proc" | "/sys") => Ok(Usage { block_size: 4096, ..Usage::default() }),
            other => panic!("unexpected query of {other:?}"),
        }
    }
}

const MEMORY: &str = "\
MemTotal:       24684092 kB
MemFree:        17771780 kB
MemAvailable:   23814956 kB
Buffers:           90456 kB
Cached:          6000000 kB
SReclaimable:     209108 kB
Shmem:              8856 kB
SwapTotal:       2000000 kB
SwapFree:        1500000 kB
HugePages_Total:       0
malformed
";
const MOUNTS: &str = "\
proc /proc proc rw,relatime 0 0
sysfs /sys sysfs rw,relatime 0 0
/dev/vda / ext4 rw,relatime 0 0
tmpfs /dev/shm tmpfs rw 0 0
server:/export /mnt/far nfs4 rw 0 0
systemd-1 /mnt/lazy autofs rw 0 0
me@server: /mnt/ssh fuse.sshfs rw 0 0
/dev/vdb /srv xfs rw 0 0
/dev/vdc /root/secret ext4 rw 0 0
short line
";
pub(crate) const STATISTICS: &str = "\
cpu  1212141 132798 223325 985262 6271 5 41525 1732 0 0
cpu0 1000 0 0 1000 0 0 0 0 0 0
cpu1 0 0 0 2000 0 0 0 0 0 0
intr 24273886 0 0 1
ctxt 4392315154
btime 1795171559
processes 516570
";
