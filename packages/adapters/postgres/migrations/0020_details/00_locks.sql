-- Locks every table that this migration alters or refers to, before any other lock, in the order in which transactions
-- of a running service use them.
LOCK TABLE environment_settings, system_settings IN ACCESS EXCLUSIVE MODE;
LOCK TABLE source_images, detections, jobs, job_items IN SHARE ROW EXCLUSIVE MODE;
LOCK TABLE webhook_deliveries IN ACCESS EXCLUSIVE MODE;
