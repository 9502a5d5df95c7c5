ALTER TABLE "identities" ADD COLUMN "last_step_at" timestamp (3) with time zone;
