-- Rules by their digest, so that a record can always be replayed.
CREATE TABLE game (
    digest TEXT PRIMARY KEY,
    rules TEXT NOT NULL
) WITHOUT ROWID;

-- One row a match. What is secret while it runs stands in a table of its own.
CREATE TABLE match (
    id TEXT PRIMARY KEY,
    game TEXT NOT NULL REFERENCES game (digest),
    game_name TEXT,
    creator TEXT NOT NULL,
    setup TEXT NOT NULL,
    status TEXT NOT NULL,
    created_ms BIGINT NOT NULL,
    outcome TEXT
) WITHOUT ROWID;
CREATE INDEX match_by_age ON match (created_ms, id);
CREATE INDEX match_running ON match (id) WHERE outcome IS NULL;

CREATE TABLE match_secret (
    match TEXT PRIMARY KEY REFERENCES match (id),
    seed TEXT NOT NULL
) WITHOUT ROWID;

-- Servers that share this store, each until its lease runs out.
CREATE TABLE replica (
    id TEXT PRIMARY KEY,
    url TEXT NOT NULL,
    expires_ms BIGINT NOT NULL
) WITHOUT ROWID;

-- Which server runs a match, how often that has changed, and how many lines of its record are stored.
CREATE TABLE ownership (
    match TEXT PRIMARY KEY REFERENCES match (id),
    replica TEXT NOT NULL,
    epoch BIGINT NOT NULL,
    lines BIGINT NOT NULL
) WITHOUT ROWID;

-- Records in the order in which they were written: some lines a row, under the number of the first. Rows stand in the order of
-- time, so that lines of many matches that are stored at once share pages.
CREATE TABLE journal (
    match TEXT NOT NULL REFERENCES match (id),
    seq BIGINT NOT NULL,
    lines TEXT NOT NULL
);
CREATE UNIQUE INDEX journal_by_match ON journal (match, seq);
