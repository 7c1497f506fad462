-- How good whoever has a name is at a game, by both systems of ratings.
CREATE TABLE rating (
    pool TEXT NOT NULL,
    player TEXT NOT NULL,
    mu DOUBLE PRECISION NOT NULL,
    sigma DOUBLE PRECISION NOT NULL,
    glicko DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    matches BIGINT NOT NULL,
    PRIMARY KEY (pool, player)
);
CREATE INDEX rating_by_mu ON rating (pool, mu, player);
CREATE INDEX rating_by_glicko ON rating (pool, glicko, player);
CREATE INDEX rating_by_player ON rating (player, pool);

-- Tournaments: how many matches of each run, how many may, and how many have a fixture by now.
CREATE TABLE tournament (
    id TEXT PRIMARY KEY,
    game TEXT NOT NULL REFERENCES game (digest),
    game_name TEXT,
    creator TEXT NOT NULL,
    setup TEXT NOT NULL,
    roles TEXT NOT NULL,
    status TEXT NOT NULL,
    live BIGINT NOT NULL,
    at_once BIGINT NOT NULL,
    paired BIGINT NOT NULL,
    created_ms BIGINT NOT NULL,
    idempotency_key TEXT,
    request TEXT
);
CREATE INDEX tournament_by_age ON tournament (created_ms, id);
CREATE INDEX tournament_unfinished ON tournament (created_ms, id) WHERE status = 'running' OR live > 0;
CREATE UNIQUE INDEX tournament_by_request ON tournament (creator, idempotency_key);

CREATE TABLE tournament_secret (
    tournament TEXT PRIMARY KEY REFERENCES tournament (id),
    seed TEXT NOT NULL
);

-- The pool in which the match is rated, and the tournament that it belongs to, if any.
ALTER TABLE match ADD COLUMN rating_pool TEXT;
ALTER TABLE match ADD COLUMN tournament TEXT REFERENCES tournament (id);

-- Who sits where at each place of a schedule; its match once that is made; its result once that is over.
CREATE TABLE fixture (
    tournament TEXT NOT NULL REFERENCES tournament (id),
    place BIGINT NOT NULL,
    seats TEXT NOT NULL,
    deal BIGINT NOT NULL,
    match TEXT REFERENCES match (id),
    result TEXT,
    PRIMARY KEY (tournament, place)
);
CREATE UNIQUE INDEX fixture_by_match ON fixture (match);
CREATE INDEX fixture_by_deal ON fixture (tournament, deal, place);
CREATE INDEX fixture_open ON fixture (tournament, place) WHERE match IS NULL AND result IS NULL;

-- How many matches of each deal are not over: what they share stays secret until there are none.
CREATE TABLE deal (
    tournament TEXT NOT NULL REFERENCES tournament (id),
    number BIGINT NOT NULL,
    open BIGINT NOT NULL,
    PRIMARY KEY (tournament, number)
);
