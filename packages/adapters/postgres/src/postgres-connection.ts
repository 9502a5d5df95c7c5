import type { Credential } from '@sightline/platform/resilience/credential';
import type pg from 'pg';

/**
 * The address and credentials of a database. The owner, who migrates it, and the service's roles connect with them. A
 * host name is resolved for each new connection, so the server's address may change.
 */
export interface PostgresConnection {
  /** A host name, an IP address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  /** The user's password; absent if the server requires none. */
  readonly password?: string;
  /** The password of the service's two roles. The default is the user's password. An empty text means no password. */
  readonly servicePassword?: string;
  /** The password of the service's two roles, if it may change while this process runs. */
  readonly rolePassword?: Credential;
  /** The end of the names of the service's two roles; absent for names without one. */
  readonly roleSuffix?: string;
  /** Absent if connections are not encrypted. */
  readonly ssl?: PostgresTls;
}

/** The TLS settings of connections. Certificates and the key are PEM texts. */
export interface PostgresTls {
  /** Which part of the server's certificate is verified: nothing, its issuer, or its issuer and host name. */
  readonly verify: 'none' | 'issuer' | 'name';
  /** The trusted certificate authorities. The default is Node's list. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

export interface SessionOptions {
  /** The role to log in as. The default is the user of the connection. */
  readonly role?: string;
  /** The name of the session in the server's activity view. */
  readonly applicationName: string;
  readonly settings: Readonly<Record<string, string>>;
  /** The client's time limit for each query, in ms. There is no limit by default. */
  readonly answerTimeout?: number;
}

const CONNECT_MS = 5_000;

export function clientConfig(
  connection: PostgresConnection,
  { role, applicationName, settings, answerTimeout }: SessionOptions,
): pg.ClientConfig {
  const { host, port, database, user } = connection;
  const { password, servicePassword = password, rolePassword, ssl } = connection;
  const secret = role === undefined ? password : servicePassword;
  const isChangeable = role !== undefined && rolePassword !== undefined;
  return {
    host,
    port,
    database,
    user: role ?? user,
    // If the password were undefined, the driver would read PGPASSWORD and ~/.pgpass.
    password: isChangeable ? () => rolePassword.current : (secret ?? (() => '')),
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
