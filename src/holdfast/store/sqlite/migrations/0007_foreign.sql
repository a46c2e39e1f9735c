-- A record of another store has a place below zero in the column of numbers, and its own
-- number and machine in its body: `42@laptop` is found by these.
CREATE INDEX checkpoint_foreign ON checkpoint (
    iif(json_valid(body), json_extract(body, '$.number'), NULL),
    iif(json_valid(body), json_extract(body, '$.foreign.machine'), NULL)
) WHERE number < 0;
