ALTER TABLE "job_items" ADD COLUMN "is_alone_everywhere" boolean DEFAULT false NOT NULL;
