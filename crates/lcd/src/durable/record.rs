//! Complete records: a row of any table, or a scalar.

use portreeve_secret::Secret;

use super::{FieldWriter, Fields, RecordError, RecordKeyReader, RecordKeyWriter, RowKey};
use crate::{
    BoolScalar, ColumnSet, Columns, Row, RowStatus, Scalars, StorageType, Tables, TestAndIncr, TextScalar,
    tables::{TableVisitor, visit_tables},
};

/// Returns the key of a row's record.
pub(crate) fn record_key<C: Columns>(key: &C::Key) -> Vec<u8> {
    let mut writer = RecordKeyWriter::new(C::KIND);
    key.write(&mut writer);
    writer.finish()
}

/// Returns the value of a row's record, or `None` if the row is not durable.
pub(crate) fn row_value<C: Columns>(row: &Row<C>) -> Option<Secret> {
    row.storage.is_durable().then(|| {
        let mut fields = FieldWriter::new();
        fields.number(STORAGE, row.storage as u32);
        fields.number(STATUS, row.status as u32);
        fields.number(MISSING, row.missing.bits());
        row.columns.write(&mut fields);
        fields.finish()
    })
}

/// Returns the record key and value of every scalar that a SET may change. The value is `None` if
/// the scalar was not set by a SET.
pub(crate) fn scalar_records(scalars: &Scalars) -> [(&'static str, Option<Secret>); 9] {
    let octets = |text: &TextScalar| {
        text.storage.is_durable().then(|| {
            let mut fields = FieldWriter::new();
            fields.octets(VALUE, &text.value);
            fields.finish()
        })
    };
    let number = |number: u32| {
        let mut fields = FieldWriter::new();
        fields.number(VALUE, number);
        fields.finish()
    };
    let lock = |lock: TestAndIncr| Some(number(lock.get().unsigned_abs()));
    let switch = |switch: BoolScalar| switch.storage.is_durable().then(|| number(switch.enabled.into()));
    [
        (SYS_CONTACT, octets(&scalars.sys_contact)),
        (SYS_NAME, octets(&scalars.sys_name)),
        (SYS_LOCATION, octets(&scalars.sys_location)),
        (ENABLE_AUTHEN_TRAPS, switch(scalars.enable_authen_traps)),
        (TSM_USE_PREFIX, switch(scalars.tsm_use_prefix)),
        (SET_SERIAL_NO, lock(scalars.set_serial_no)),
        (USER_SPIN_LOCK, lock(scalars.user_spin_lock)),
        (VIEW_SPIN_LOCK, lock(scalars.view_spin_lock)),
        (TARGET_SPIN_LOCK, lock(scalars.target_spin_lock)),
    ]
}

/// Reads one record into `tables`. Returns `Ok(false)` if its key is unknown.
pub(crate) fn read_into(tables: &mut Tables, key: &[u8], value: &[u8]) -> Result<bool, RecordError> {
    let Ok(key) = std::str::from_utf8(key) else { return Ok(false) };
    if read_scalar(&mut tables.scalars, key, value)? {
        return Ok(true);
    }
    let mut reading = ReadRow { tables, key, value, result: Ok(false) };
    visit_tables(&mut reading);
    reading.result
}

fn read_scalar(scalars: &mut Scalars, key: &str, value: &[u8]) -> Result<bool, RecordError> {
    let text = || Ok(TextScalar::set(Fields::new(value)?.name(VALUE)?));
    let number = || Fields::new(value)?.number(VALUE);
    let switch = || Ok(BoolScalar { enabled: number()? != 0, ..BoolScalar::default() });
    let lock = || Ok(TestAndIncr::new(number()?.try_into().map_err(|_| RecordError)?));
    match key {
        SYS_CONTACT => scalars.sys_contact = text()?,
        SYS_NAME => scalars.sys_name = text()?,
        SYS_LOCATION => scalars.sys_location = text()?,
        ENABLE_AUTHEN_TRAPS => scalars.enable_authen_traps = switch()?,
        TSM_USE_PREFIX => scalars.tsm_use_prefix = switch()?,
        SET_SERIAL_NO => scalars.set_serial_no = lock()?,
        USER_SPIN_LOCK => scalars.user_spin_lock = lock()?,
        VIEW_SPIN_LOCK => scalars.view_spin_lock = lock()?,
        TARGET_SPIN_LOCK => scalars.target_spin_lock = lock()?,
        _ => return Ok(false),
    }
    Ok(true)
}

struct ReadRow<'a> {
    tables: &'a mut Tables,
    key: &'a str,
    value: &'a [u8],
    result: Result<bool, RecordError>,
}

impl TableVisitor for ReadRow<'_> {
    fn visit<C: Columns>(&mut self) {
        if let Some(parts) = RecordKeyReader::new(self.key, C::KIND) {
            self.result = read_row::<C>(parts, self.value).map(|row| {
                self.tables.insert(row);
                true
            });
        }
    }
}

fn read_row<C: Columns>(mut parts: RecordKeyReader<'_>, value: &[u8]) -> Result<Row<C>, RecordError> {
    let key = C::Key::read(&mut parts)?;
    parts.finish()?;
    let fields = Fields::new(value)?;
    let storage = fields.choice(STORAGE, StorageType::from_number)?;
    if !storage.is_durable() {
        return Err(RecordError);
    }
    Ok(Row {
        key,
        columns: C::read(&fields)?,
        storage,
        status: fields.choice(STATUS, RowStatus::from_number)?,
        missing: ColumnSet::from_bits(fields.number(MISSING)?),
    })
}

const STORAGE: &str = "storage";
const STATUS: &str = "status";
const MISSING: &str = "missing";
const VALUE: &str = "value";

const SYS_CONTACT: &str = "system/sysContact";
const SYS_NAME: &str = "system/sysName";
const SYS_LOCATION: &str = "system/sysLocation";
const ENABLE_AUTHEN_TRAPS: &str = "snmp/enableAuthenTraps";
const TSM_USE_PREFIX: &str = "tsm/usePrefix";
const SET_SERIAL_NO: &str = "snmp/setSerialNo";
const USER_SPIN_LOCK: &str = "usm/spinLock";
const VIEW_SPIN_LOCK: &str = "vacm/spinLock";
const TARGET_SPIN_LOCK: &str = "target/spinLock";
