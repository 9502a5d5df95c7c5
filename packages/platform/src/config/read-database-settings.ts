import { readSecret } from './read-secret.ts';
import type { Config } from './variable-groups.ts';

/** An external database. */
export interface DatabaseSettings {
  /** For a login that owns the schema, or can at least read its version; contains a password. */
  readonly url: string;
  /** Of the two roles of the service; null: the password in the URL. */
  readonly password: string | null;
  /** Maximum number of connections for requests. */
  readonly connections: number;
  /** In ms. */
  readonly statementTimeout: number;
  /** In ms. */
  readonly lockTimeout: number;
}

/**
 * The database of the configuration; null if there is none.
 *
 * @throws StartError if the password is set twice, or if its file cannot be read
 */
export function readDatabaseSettings(config: Config<'database'>): DatabaseSettings | null {
  if (config.databaseUrl === null) return null;
  return {
    url: config.databaseUrl,
    password: readSecret(config, { given: 'databasePassword', file: 'databasePasswordFile' }),
    connections: config.databaseConnections,
    statementTimeout: config.databaseStatementTimeout,
    lockTimeout: config.databaseLockTimeout,
  };
}
