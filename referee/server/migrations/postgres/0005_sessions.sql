-- Sessions: seats, and the matches that are played in them one after the other.
CREATE TABLE session (
    id TEXT PRIMARY KEY,
    game TEXT NOT NULL REFERENCES game (digest),
    creator TEXT NOT NULL,
    setup TEXT NOT NULL,
    status TEXT NOT NULL,
    is_listed BIGINT NOT NULL,
    created_ms BIGINT NOT NULL,
    idempotency_key TEXT,
    request TEXT
);
CREATE INDEX session_by_age ON session (created_ms, id);
CREATE INDEX session_running ON session (creator, id) WHERE status = 'running';
CREATE UNIQUE INDEX session_by_request ON session (creator, idempotency_key);

CREATE TABLE session_secret (
    session TEXT PRIMARY KEY REFERENCES session (id),
    seed TEXT NOT NULL
);

-- Which server runs a session, how often that has changed, and how many entries of its journal are stored.
CREATE TABLE session_ownership (
    session TEXT PRIMARY KEY REFERENCES session (id),
    replica TEXT NOT NULL,
    epoch BIGINT NOT NULL,
    entries BIGINT NOT NULL
);

-- Everything that happened to a session, in order: what it is now follows from this alone.
CREATE TABLE session_journal (
    session TEXT NOT NULL REFERENCES session (id),
    seq BIGINT NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY (session, seq)
);

-- The session of every key that was ever made, by its digest: a link says no more than its key.
CREATE TABLE session_key (
    digest TEXT PRIMARY KEY,
    session TEXT NOT NULL REFERENCES session (id)
);

-- The session that a match belongs to, and which of its matches it is: none is made twice.
ALTER TABLE match ADD COLUMN session TEXT REFERENCES session (id);
ALTER TABLE match ADD COLUMN session_place BIGINT;
CREATE UNIQUE INDEX match_by_session ON match (session, session_place);
