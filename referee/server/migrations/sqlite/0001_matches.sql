-- Games by the digest of their rules, so that a record can always be replayed.
CREATE TABLE game (
    digest TEXT PRIMARY KEY,
    name TEXT,
    rules TEXT NOT NULL
) WITHOUT ROWID;

-- One row a match. What is secret while it runs stands in tables of its own.
CREATE TABLE match (
    id TEXT PRIMARY KEY,
    game TEXT NOT NULL REFERENCES game (digest),
    setup TEXT NOT NULL,
    status TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    created_ms INTEGER NOT NULL,
    outcome TEXT
) WITHOUT ROWID;
CREATE INDEX match_by_age ON match (created_ms, id);

CREATE TABLE match_secret (
    match TEXT PRIMARY KEY REFERENCES match (id),
    seed BLOB NOT NULL
) WITHOUT ROWID;

-- The record, line by line, in the order in which it was written.
CREATE TABLE journal (
    match TEXT NOT NULL REFERENCES match (id),
    seq INTEGER NOT NULL,
    line TEXT NOT NULL,
    PRIMARY KEY (match, seq)
) WITHOUT ROWID;
