-- Locks the table that this migration refers to, before any other lock.
LOCK TABLE accounts IN SHARE ROW EXCLUSIVE MODE;
