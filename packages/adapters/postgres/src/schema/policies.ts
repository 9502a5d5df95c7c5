import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { pgPolicy, sql } from '../drizzle.ts';

/** The role for scoped transactions. It can access only the environment that its transaction names. */
export const APP_ROLE = 'sightline_app';

/** The role for platform transactions. It can access all environments. */
export const PLATFORM_ROLE = 'sightline_platform';

/**
 * The environment of the transaction; null outside a scoped transaction. `nullif` is needed, because a pooled
 * connection keeps an empty setting after a scoped transaction. The expression is no subselect, so that the planner
 * knows its value and plans for this environment instead of an average one.
 */
const CURRENT_ENVIRONMENT = sql`nullif(current_setting('sightline.environment_id', true), '')::bigint`;

const allEnvironments = () =>
  pgPolicy('all_environments', { to: PLATFORM_ROLE, using: sql`true`, withCheck: sql`true` });

/** @param orShared whether the table also has rows of the installation, whose environment is null */
export function environmentPolicies(environment: AnyPgColumn, { orShared = false } = {}) {
  const own = sql`${environment} = ${CURRENT_ENVIRONMENT}`;
  const inScope = orShared ? sql`${environment} is null or ${own}` : own;
  return [
    pgPolicy('one_environment', { to: APP_ROLE, using: inScope, withCheck: inScope }),
    allEnvironments(),
  ];
}

/** The policies of the audit, in which both roles may add entries, and one may read them. */
export function auditPolicies(environment: AnyPgColumn) {
  const inScope = sql`${environment} = ${CURRENT_ENVIRONMENT}`;
  return [
    pgPolicy('one_environment', { for: 'insert', to: APP_ROLE, withCheck: inScope }),
    allEnvironments(),
  ];
}

/** The policies of a table that scoped transactions may not read. */
export function platformPolicies() {
  return [allEnvironments()];
}
