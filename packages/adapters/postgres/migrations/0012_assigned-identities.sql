DROP VIEW "public"."assigned_identities";--> statement-breakpoint
CREATE VIEW "public"."assigned_identities" WITH (security_invoker = true) AS (
    select i.environment_id, i.id as row_id,
      case when i.merged_into is null then i.id else i.merged_into end as id, i.type,
      case when i.merged_into is null then i.label else (
        select t.label from identities t
        where t.environment_id = i.environment_id and t.id = i.merged_into) end as label
    from identities i
    where i.leaving_since is null or i.merged_into is not null);--> statement-breakpoint
GRANT SELECT ON assigned_identities TO sightline_app, sightline_platform;
