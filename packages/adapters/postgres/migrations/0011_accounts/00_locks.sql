-- Locks every table that this migration alters, before any other lock, in the order in which transactions of a running
-- service use them.
LOCK TABLE environments, keys IN ACCESS EXCLUSIVE MODE;
