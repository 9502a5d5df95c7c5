import type pg from 'pg';

/** How to reach the database as its owner, who migrates. The service's roles log in likewise. */
export interface PostgresConnection {
  /** A host name, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  /** Of the owner and of the service's roles; absent where the server does not ask. */
  readonly password?: string;
}

export interface SessionOptions {
  /** The role to log in as; the owner if absent. */
  readonly role?: string;
  /** What the server's activity view shows. */
  readonly applicationName: string;
  /** Settings of the server for this session. */
  readonly settings: Readonly<Record<string, string>>;
}

/** What the driver takes. */
export function clientConfig(
  { host, port, database, user, password }: PostgresConnection,
  { role, applicationName, settings }: SessionOptions,
): pg.ClientConfig {
  return {
    host,
    port,
    database,
    user: role ?? user,
    ...(password !== undefined && { password }),
    application_name: applicationName,
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  };
}
