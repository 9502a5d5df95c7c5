CREATE TABLE consumer_floors (
  consumer text PRIMARY KEY,
  xid xid8 NOT NULL,
  id bigint NOT NULL
);
ALTER TABLE consumer_floors SET (fillfactor = 20);
GRANT SELECT, INSERT, UPDATE, DELETE ON consumer_floors TO sightline_platform;
