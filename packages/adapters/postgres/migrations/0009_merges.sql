ALTER TABLE "identities" ADD COLUMN "merged_into" bigint;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_merged_into" FOREIGN KEY ("environment_id","merged_into") REFERENCES "public"."identities"("environment_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "identities_merging" ON "identities" USING btree ("environment_id","merged_into") WHERE "identities"."merged_into" is not null;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_merging_leaves" CHECK ("identities"."merged_into" is null or "identities"."leaving_since" is not null);--> statement-breakpoint
CREATE VIEW "public"."assigned_identities" WITH (security_invoker = true) AS (
    select i.environment_id, i.id as row_id, a.id, a.type, a.label
    from identities i
    join identities a on a.environment_id = i.environment_id and a.id = coalesce(i.merged_into, i.id)
    where a.leaving_since is null);--> statement-breakpoint
GRANT SELECT ON assigned_identities TO sightline_app, sightline_platform;
