-- Who has claimed an open seat, as a digest, and under which key: one client gets few of them, and the same again for the same request.
ALTER TABLE seat ADD COLUMN claimed_by TEXT;
ALTER TABLE seat ADD COLUMN claim_key TEXT;
CREATE INDEX seat_by_claim ON seat (claimed_by);

-- How long the referee computes a turn of a game at most, as it was measured before its first match.
ALTER TABLE game ADD COLUMN turn_us BIGINT;
