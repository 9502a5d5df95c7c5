-- Locks every table that this migration refers to, before any other lock, in the order in which transactions of a
-- running service use them.
LOCK TABLE environments, accounts IN SHARE ROW EXCLUSIVE MODE;
