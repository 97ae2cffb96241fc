mod agent;
mod every_table;
mod freed_memory;
mod lookup;
mod rows;
mod scalars;
mod users;
