import type { ReadValues } from '../resilience/credential.ts';
import { readSecret, secretReader } from './read-secret.ts';
import type { Config } from './variable-groups.ts';

export interface DatabaseSettings {
  /** Reads the URL with the service's login. The URL may contain a password. */
  readonly url: ReadValues;
  /** Reads the password of the service's database roles; null if the password in the URL applies. */
  readonly password: ReadValues | null;
  /** The end of the names of the service's roles; empty for names without one. */
  readonly roleSuffix: string;
  readonly connections: number;
  /** The timeout of a statement, in ms. */
  readonly statementTimeout: number;
  /** The timeout of a wait for a lock, in ms. */
  readonly lockTimeout: number;
}

/**
 * The configured external database; null if none is configured.
 *
 * @throws StartError if the address or the password is set twice, or if a file cannot be read
 */
export function readDatabaseSettings(config: Config<'database'>): DatabaseSettings | null {
  const url = secretReader(config, { given: 'databaseUrl', file: 'databaseUrlFile' }, String);
  if (url === null) return null;
  return {
    url,
    password: secretReader(
      config,
      { given: 'databasePassword', file: 'databasePasswordFile' },
      String,
    ),
    roleSuffix: config.databaseRoleSuffix,
    connections: config.databaseConnections,
    statementTimeout: config.databaseStatementTimeout,
    lockTimeout: config.databaseLockTimeout,
  };
}

/**
 * The address of the database with the owner's login; null if the address is not set.
 *
 * @throws StartError if the address is set twice, or if the file with the address cannot be read
 */
export function readDatabaseOwner(config: Config<'migration'>): string | null {
  return readSecret(config, { given: 'databaseOwnerUrl', file: 'databaseOwnerUrlFile' });
}
