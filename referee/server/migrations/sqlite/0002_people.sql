-- Players that are registered, as the game manager of the specification of 2006 has them.
CREATE TABLE player (
    name TEXT PRIMARY KEY,
    address TEXT,
    dialect TEXT,
    registered_by TEXT NOT NULL,
    created_ms BIGINT NOT NULL
) WITHOUT ROWID;

-- Tokens by their digest: nobody gets them back.
CREATE TABLE token (
    digest TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    created_ms BIGINT NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX token_by_subject ON token (kind, subject);

-- Games that were uploaded, by name.
CREATE TABLE upload (
    name TEXT PRIMARY KEY,
    game TEXT NOT NULL REFERENCES game (digest),
    uploaded_by TEXT NOT NULL,
    created_ms BIGINT NOT NULL
) WITHOUT ROWID;

-- Who sits where: a registered player or an agent by its name, nobody that has one, or nobody yet.
CREATE TABLE seat (
    match TEXT NOT NULL REFERENCES match (id),
    role TEXT NOT NULL,
    player TEXT,
    is_free BIGINT NOT NULL,
    PRIMARY KEY (match, role)
) WITHOUT ROWID;
CREATE INDEX seat_by_player ON seat (player, match);

-- Requests that were answered, so that the same request again makes nothing again.
CREATE TABLE idempotency (
    actor TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    request TEXT NOT NULL,
    match TEXT NOT NULL REFERENCES match (id),
    PRIMARY KEY (actor, idempotency_key)
) WITHOUT ROWID;
