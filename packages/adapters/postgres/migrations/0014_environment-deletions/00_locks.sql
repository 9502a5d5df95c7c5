-- Locks the table that this migration alters, before any other lock.
LOCK TABLE environments IN ACCESS EXCLUSIVE MODE;
