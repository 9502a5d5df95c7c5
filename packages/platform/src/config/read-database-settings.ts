import type { Config } from './parse-config.ts';
import { readSecret } from './read-secret.ts';

/** A database outside of the data folder. */
export interface DatabaseSettings {
  /** With the login that owns the schema, or may at least read what it is; it holds a password. */
  readonly url: string;
  /** Of the two roles that the service works as; null: that of the URL. */
  readonly password: string | null;
  /** Most connections for requests. */
  readonly connections: number;
  /** In ms. */
  readonly statementTimeout: number;
  /** In ms. */
  readonly lockTimeout: number;
}

/**
 * The database of the configuration; null if there is none.
 *
 * @throws StartError if the password is given twice, or its file cannot be read
 */
export function readDatabaseSettings(config: Config): DatabaseSettings | null {
  if (config.databaseUrl === null) return null;
  return {
    url: config.databaseUrl,
    password: readSecret(config, { given: 'databasePassword', file: 'databasePasswordFile' }),
    connections: config.databaseConnections,
    statementTimeout: config.databaseStatementTimeout,
    lockTimeout: config.databaseLockTimeout,
  };
}
