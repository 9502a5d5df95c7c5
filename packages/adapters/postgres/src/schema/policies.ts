import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { pgPolicy, sql } from '../drizzle.ts';

/** The role of the scoped doors: sees and writes one environment, named by its transaction. */
export const APP_ROLE = 'sightline_app';

/** The role of the platform door: sees all environments. */
export const PLATFORM_ROLE = 'sightline_platform';

/**
 * The environment of the transaction; null outside of one. After a scoped transaction the setting of a pooled
 * connection is an empty string, not null. The expression is no subselect, because the planner estimates with its
 * value and so plans for this environment; for a subselect it assumes the average one.
 */
const CURRENT_ENVIRONMENT = sql`nullif(current_setting('sightline.environment_id', true), '')::bigint`;

const allEnvironments = () =>
  pgPolicy('all_environments', { to: PLATFORM_ROLE, using: sql`true`, withCheck: sql`true` });

/** The policies of a table that holds data of environments. */
export function environmentPolicies(environment: AnyPgColumn) {
  const inScope = sql`${environment} = ${CURRENT_ENVIRONMENT}`;
  return [
    pgPolicy('one_environment', { to: APP_ROLE, using: inScope, withCheck: inScope }),
    allEnvironments(),
  ];
}

/** The policies of a table that no scoped door may read. */
export function platformPolicies() {
  return [allEnvironments()];
}
