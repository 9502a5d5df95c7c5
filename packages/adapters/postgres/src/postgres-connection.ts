import type pg from 'pg';

/**
 * How to connect, as the owner of the database, who migrates it, or as the service's roles. A host name is
 * resolved for each new connection, so that a server may move.
 */
export interface PostgresConnection {
  /** A host name or address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  /** The user's password; absent if the server requires none. */
  readonly password?: string;
  /** The password of the service's two roles; default: the user's; empty: none. */
  readonly servicePassword?: string;
  /** Absent: connections are not encrypted. */
  readonly ssl?: PostgresTls;
}

/** How the server's certificate is verified, and the client's own certificate; all PEM. */
export interface PostgresTls {
  /** How much of the certificate is verified: nothing, its issuer, or its issuer and host name. */
  readonly verify: 'none' | 'issuer' | 'name';
  /** The trusted authorities; default: those of Node. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

export interface SessionOptions {
  /** The role to log in as; the user of the connection if absent. */
  readonly role?: string;
  /** The text that the server's activity view shows. */
  readonly applicationName: string;
  /** Settings of the server for this session. */
  readonly settings: Readonly<Record<string, string>>;
  /** Client-side time limit of a query, in ms; absent: none. */
  readonly answerTimeout?: number;
}

/** Time limit of a login, in ms. */
const CONNECT_MS = 5_000;

/** The options of the driver. */
export function clientConfig(
  connection: PostgresConnection,
  { role, applicationName, settings, answerTimeout }: SessionOptions,
): pg.ClientConfig {
  const { host, port, database, user } = connection;
  const { password, servicePassword = password, ssl } = connection;
  const secret = role === undefined ? password : servicePassword;
  return {
    host,
    port,
    database,
    user: role ?? user,
    // The password is never undefined, because the driver would then read PGPASSWORD and ~/.pgpass.
    password: secret ?? (() => ''),
    ssl: ssl === undefined ? false : tlsConfig(ssl),
    application_name: applicationName,
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value.replace(/[\\ ]/g, '\\$&')}`)
      .join(' '),
    connectionTimeoutMillis: CONNECT_MS,
    ...(answerTimeout !== undefined && { query_timeout: answerTimeout }),
    keepAlive: true,
  };
}

function tlsConfig({
  verify,
  ca,
  cert,
  key,
}: PostgresTls): Exclude<pg.ClientConfig['ssl'], string> {
  return {
    rejectUnauthorized: verify !== 'none',
    ...(verify !== 'name' && { checkServerIdentity: () => undefined }),
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  };
}
