-- Locks every table that this migration alters or refers to, before any other lock, in the order in which transactions
-- of a running service use them.
LOCK TABLE environments IN SHARE ROW EXCLUSIVE MODE;
LOCK TABLE environment_settings, system_settings IN ACCESS EXCLUSIVE MODE;
LOCK TABLE detections IN SHARE ROW EXCLUSIVE MODE;
