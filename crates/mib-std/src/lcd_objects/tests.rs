mod agent;
mod battery;
mod reading;
mod rows;
mod scalars;
mod users;
