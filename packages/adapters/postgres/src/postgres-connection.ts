import type pg from 'pg';

/**
 * How to reach the database as its owner, who migrates. The service's roles log in likewise. A name
 * is looked up for each new connection, so that a server that moves is found again.
 */
export interface PostgresConnection {
  /** A host name or address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  /** Of the owner; absent where the server does not ask. */
  readonly password?: string;
  /** Of the service's two roles; the owner's if absent. */
  readonly servicePassword?: string;
  /** Absent: what is said can be read on the way. */
  readonly ssl?: PostgresTls;
}

/** What of the server's certificate is looked at, and what is shown to the server; all PEM. */
export interface PostgresTls {
  /** `none`: encrypted, to whoever answers; `issuer`: a server of the authority; `name`: this one. */
  readonly verify: 'none' | 'issuer' | 'name';
  /** The authorities that are trusted; absent: those of Node. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

export interface SessionOptions {
  /** The role to log in as; the owner if absent. */
  readonly role?: string;
  /** What the server's activity view shows. */
  readonly applicationName: string;
  /** Settings of the server for this session. */
  readonly settings: Readonly<Record<string, string>>;
  /** How long an answer may take, in ms, whatever the server thinks of it; absent: for ever. */
  readonly answerTimeout?: number;
}

/** How long a server may take to let somebody in; one that is up does so at once. */
const CONNECT_MS = 5_000;

/** What the driver takes. */
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
    // Never undefined: the driver would look for variables and files of its own.
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
