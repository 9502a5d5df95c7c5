import type pg from 'pg';
import type { PostgresConnection } from './postgres-connection.ts';
import { APP_ROLE, PLATFORM_ROLE } from './schema/policies.ts';
import { SchemaMismatch } from './schema-mismatch.ts';

export interface ServiceRoles {
  /** The role for scoped transactions. */
  readonly app: string;
  /** The role for platform transactions. */
  readonly platform: string;
}

/**
 * The names of the service's roles. All databases of a server share its roles, so installations on one server need names
 * with different suffixes.
 */
export function rolesOf({ roleSuffix = '' }: Pick<PostgresConnection, 'roleSuffix'>): ServiceRoles {
  const end = roleSuffix === '' ? '' : `_${roleSuffix}`;
  return { app: APP_ROLE + end, platform: PLATFORM_ROLE + end };
}

/** Replaces the names of the roles in the text of a migration, which has them without a suffix. */
export function withRoles(text: string, { app, platform }: ServiceRoles): string {
  const names: Readonly<Record<string, string>> = { [APP_ROLE]: app, [PLATFORM_ROLE]: platform };
  return text.replace(/\bsightline_(?:app|platform)\b/g, (name) => names[name]!);
}

/**
 * Requires that the schema was made for roles of these names.
 *
 * @throws SchemaMismatch
 */
export async function requireRoles(client: pg.Client, { platform }: ServiceRoles): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT r.rolname AS name FROM pg_policy p JOIN pg_roles r ON r.oid = ANY (p.polroles)
     WHERE p.polrelid = to_regclass('environments') AND p.polname = 'all_environments'`,
  );
  const [made] = rows;
  if (made === undefined || made.name === platform) return;
  throw new SchemaMismatch(
    `The schema of the database is for the role ${made.name}, and not for ${platform}: set SIGHTLINE_DATABASE_ROLE_SUFFIX to the text behind ${PLATFORM_ROLE}_, or to none.`,
  );
}
