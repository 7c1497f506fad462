//! Sessions event by event.
