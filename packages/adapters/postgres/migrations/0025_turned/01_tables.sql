ALTER TABLE detections ADD COLUMN turned smallint DEFAULT 0 NOT NULL;
-- Every row that is there has the default, so the table is not read to check it.
ALTER TABLE detections
  ADD CONSTRAINT detections_turned CHECK (turned IN (0, 90, 180, 270)) NOT VALID;
