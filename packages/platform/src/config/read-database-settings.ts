import { readSecret } from './read-secret.ts';
import type { Config } from './variable-groups.ts';

/** An external database. */
export interface DatabaseSettings {
  /** The URL with a login of the service; it may contain a password. */
  readonly url: string;
  /** The password of the service's roles; null means the password in the URL. */
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
 * @throws StartError if the address or the password is set twice, or if a file cannot be read
 */
export function readDatabaseSettings(config: Config<'database'>): DatabaseSettings | null {
  const url = readSecret(config, { given: 'databaseUrl', file: 'databaseUrlFile' });
  if (url === null) return null;
  return {
    url,
    password: readSecret(config, { given: 'databasePassword', file: 'databasePasswordFile' }),
    connections: config.databaseConnections,
    statementTimeout: config.databaseStatementTimeout,
    lockTimeout: config.databaseLockTimeout,
  };
}

/**
 * The address of the database for its owner; null if it is not set.
 *
 * @throws StartError if it is set twice, or if its file cannot be read
 */
export function readDatabaseOwner(config: Config<'migration'>): string | null {
  return readSecret(config, { given: 'databaseOwnerUrl', file: 'databaseOwnerUrlFile' });
}
