import pg from 'pg';
import { toWriterFailure } from './doors/store-failure.ts';
import type { PostgresConnection } from './postgres-connection.ts';
import { rolesOf } from './service-roles.ts';
import { SchemaMismatch } from './schema-mismatch.ts';

const EXTENSIONS = ['pg_trgm', 'btree_gin'];
const FORBIDDEN = '42501';
const UNKNOWN_OBJECT = '42704';
/** The codes for an extension that is unknown or whose files are missing. */
const NO_EXTENSION = ['0A000', '58P01', UNKNOWN_OBJECT];

/**
 * Converts the error of a migration to an error that explains it in a sentence. Returns unexpected errors unchanged.
 */
export function explainMigration(error: unknown, connection: PostgresConnection): unknown {
  const failure = toWriterFailure(error);
  if (!(failure instanceof pg.DatabaseError)) return failure;
  const said = explain(failure, connection);
  return said === null ? failure : new SchemaMismatch(said, { cause: failure });
}

function explain(
  { code = '', message }: pg.DatabaseError,
  { user, database, ...connection }: PostgresConnection,
): string | null {
  const extension = EXTENSIONS.find((name) => message.includes(name));
  if (extension !== undefined && [FORBIDDEN, ...NO_EXTENSION].includes(code)) {
    return `The extension ${extension} cannot be created in the database ${database} (${message}): install the contrib modules of Postgres, and let ${user} create the extension, or create it as an administrator.`;
  }
  if (code === UNKNOWN_OBJECT && message.includes('for encoding')) {
    return `The database ${database} does not have the encoding UTF8 (${message}): create a database with that encoding.`;
  }
  if (code !== FORBIDDEN) return null;
  const { app, platform } = rolesOf(connection);
  if (/create role|SET ROLE|member of role|grant role/i.test(message)) {
    return `The database user ${user} may not create or use the roles ${app} and ${platform} (${message}): give the user CREATEROLE, or create both roles with LOGIN NOINHERIT and grant them to the user WITH ADMIN TRUE, INHERIT TRUE, SET TRUE.`;
  }
  return `The database user ${user} may not change the schema of the database ${database} (${message}): make that user the owner of the database.`;
}
