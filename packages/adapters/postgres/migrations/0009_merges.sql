ALTER TABLE "identities" ADD COLUMN "merged_into" bigint;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_merged_into" FOREIGN KEY ("environment_id","merged_into") REFERENCES "public"."identities"("environment_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "identities_merging" ON "identities" USING btree ("environment_id","merged_into") WHERE "identities"."merged_into" is not null;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_merging_leaves" CHECK ("identities"."merged_into" is null or "identities"."leaving_since" is not null);--> statement-breakpoint
CREATE VIEW "public"."assigned_identities" WITH (security_invoker = true) AS (
    select i.environment_id, i.id as row_id,
      case when i.merged_into is null then i.id else i.merged_into end as id, i.type,
      case when i.merged_into is null then i.label else (
        select t.label from identities t
        where t.environment_id = i.environment_id and t.id = i.merged_into) end as label
    from identities i
    where i.leaving_since is null or i.merged_into is not null);--> statement-breakpoint
GRANT SELECT ON assigned_identities TO sightline_app, sightline_platform;
