ALTER TABLE "feed_entries" ADD COLUMN "operation_id" bigint;
