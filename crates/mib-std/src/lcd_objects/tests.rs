mod agent;
mod every_table;
mod lookup;
mod rows;
mod scalars;
mod users;
