use portreeve_smi::Timestamp;

use super::{recorded::RecordedMachine, *};
use crate::Collect;

fn read(collect: &mut MachineCollect<RecordedMachine>, seconds: u64, last: &Machine) -> Machine {
    let mut next = Machine::default();
    collect.collect(Timestamp::from_micros(seconds * 1_000_000), last, &mut next).unwrap();
    next
}

fn mount_points(machine: &Machine) -> Vec<(u32, &str)> {
    let place = |system: &FileSystem| system.index[0];
    let path = |system| std::str::from_utf8(system).unwrap();
    machine.file_systems.iter().map(|system| (place(system), path(&system.path))).collect()
}

#[test]
fn machine_values_are_parsed_from_recorded_files() {
    let machine = read(&mut MachineCollect::new(RecordedMachine::default()), 1, &Machine::default());
    assert_eq!((machine.up_time, machine.processes), (1_308_474, 89));
    let memory = Memory {
        total: 24_684_092,
        free: 17_771_780,
        buffers: 90_456,
        cached: 6_209_108,
        shared: 8_856,
        swap_total: 2_000_000,
        swap_free: 1_500_000,
    };
    assert_eq!(machine.memory, memory);
    assert_eq!(memory.used(), 612_748);
    let loads: Vec<_> = machine.load.iter().map(|load| (&*load.text, load.hundredths, load.float)).collect();
    assert_eq!(loads[1], ("0.07", 7, [0x9f, 0x78, 4, 0x3d, 0x8f, 0x5c, 0x29]));
    assert_eq!((loads[0].0, loads[0].1, loads[2].0, loads[2].1), ("1.87", 187, "12.50", 1250));
    assert_eq!((machine.interrupts, machine.context_switches), (24_273_886, 4_392_315_154));
    assert_eq!(machine.ticks.soft_interrupt, 41_525);
}

#[test]
fn local_file_systems_with_capacity_are_listed_with_their_usage() {
    let machine = read(&mut MachineCollect::new(RecordedMachine::default()), 1, &Machine::default());
    assert_eq!(mount_points(&machine), [(1, "/"), (2, "/dev/shm"), (3, "/srv")]);
    let [root, memory, large] = &machine.file_systems[..] else { panic!() };
    assert!(memory.is_memory && !root.is_memory);
    assert_eq!(root.in_allocation_units(), (4096, 66_053_021, 10_173_345));
    assert_eq!((root.storage_index, root.kibibytes(root.usage.available)), ([31], 54_807_884));
    // The number of blocks exceeds 31 bits, so the units are larger; the total size is the same.
    assert_eq!(large.in_allocation_units(), (4 << 20, 1 << 30, 1 << 29));
}

#[test]
fn mount_point_retains_index_and_new_mount_point_gets_free_index() {
    let mut collect = MachineCollect::new(RecordedMachine::default());
    let first = read(&mut collect, 1, &Machine::default());
    let mounts = "/dev/vdb /srv xfs rw 0 0\n/dev/vdd /new\\040disk ext4 rw 0 0\n/dev/vda / ext4 rw 0 0\n";
    let mut collect =
        MachineCollect::new(RecordedMachine { mounts: mounts.to_owned(), ..RecordedMachine::default() });
    let second = read(&mut collect, 2, &first);
    assert_eq!(mount_points(&second), [(1, "/"), (2, "/new disk"), (3, "/srv")]);
}

#[test]
fn later_mount_hides_earlier_mount_at_same_path() {
    let mounts = "/dev/vda / ext4 rw 0 0\n/dev/vdb / xfs rw 0 0\n".to_owned();
    let machine = read(
        &mut MachineCollect::new(RecordedMachine { mounts, ..RecordedMachine::default() }),
        1,
        &Machine::default(),
    );
    assert_eq!(machine.file_systems.len(), 1);
    assert_eq!(machine.file_systems[0].device, b"/dev/vdb");
}

#[test]
fn processor_load_covers_last_minute() {
    let mut history = processors::History::default();
    let mut at = |seconds: u64, busy: u64, idle: u64| {
        let ticks = Ticks { user: busy, idle, ..Ticks::default() };
        let now = Timestamp::from_micros(seconds * 1_000_000);
        history.processors(now, &[(0, ticks)], "model name\t: x")[0].load
    };
    assert_eq!(at(0, 0, 0), None);
    assert_eq!(at(30, 3000, 0), Some(100));
    assert_eq!(at(60, 3000, 3000), Some(50));
    // The processor was idle during the last minute, which is from second 30 to second 90.
    assert_eq!(at(90, 3000, 6000), Some(0));
    assert_eq!(at(120, 6000, 6000), Some(50));
}

#[test]
fn values_of_this_machine_can_be_read_from_proc() {
    let mut machine = Machine::default();
    let now = Timestamp::from_micros(1_000_000);
    MachineCollect::new(ProcMachineSource).collect(now, &Machine::default(), &mut machine).unwrap();
    assert!(machine.memory.total > 0 && machine.processes > 0 && machine.up_time > 0);
    assert!(!machine.processors.is_empty() && machine.load.len() == 3);
}
