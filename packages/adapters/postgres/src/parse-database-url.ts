import { readFileSync } from 'node:fs';
import { parse } from 'pg-connection-string';
import { InvalidDatabaseUrl } from './invalid-database-url.ts';
import type { PostgresConnection, PostgresTls } from './postgres-connection.ts';

const PARAMETERS = ['host', 'port', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey'];
const MODES = ['disable', 'require', 'verify-ca', 'verify-full'];
const DEFAULT_PORT = 5432;

/**
 * Parses `postgres://user:password@host:port/database?sslmode=...` with libpq's TLS parameters: `sslmode` (disable,
 * require, verify-ca or verify-full; default: disable), `sslrootcert` (a file, or `system`), `sslcert` and `sslkey`.
 * Like libpq, `require` verifies the certificate only if `sslrootcert` is given.
 *
 * @param servicePassword the password of the service's two roles; default: the password of the URL; empty: no password
 * @throws InvalidDatabaseUrl
 */
export function parseDatabaseUrl(url: string, servicePassword?: string): PostgresConnection {
  refuseHostList(url);
  const { parameters, rest } = splitParameters(url);
  const { host, port, user, password, database } = parseRest(rest);
  const place = { host: parameters.get('host') ?? host, port: parameters.get('port') ?? port };
  if (place.host === '') throw refused('names no host');
  if (user === '') throw refused('names no user');
  if (database === '') throw refused('names no database');
  const ssl = readTls(parameters);
  return {
    host: place.host,
    port: portOf(place.port),
    user,
    database,
    ...(password !== '' && { password }),
    ...(servicePassword !== undefined && { servicePassword }),
    ...(ssl !== undefined && { ssl }),
  };
}

/** Refuses a list of hosts. Only one server accepts writes, so a DNS name or a proxy must lead to that server. */
function refuseHostList(url: string): void {
  const authority = /^[^/]*\/\/([^/?#]*)/.exec(url)?.[1] ?? '';
  const hosts = authority.slice(authority.lastIndexOf('@') + 1);
  if (hosts.includes(',') || /[?&](?:host|port)=[^&]*(?:,|%2c)/i.test(url)) {
    throw refused('lists several hosts: name only one, which must lead to the primary server');
  }
}

function splitParameters(url: string): { parameters: ReadonlyMap<string, string>; rest: string } {
  const mark = url.indexOf('?');
  if (mark < 0) return { parameters: new Map(), rest: url };
  const parameters = new Map(new URLSearchParams(url.slice(mark + 1)));
  for (const name of parameters.keys()) {
    if (!PARAMETERS.includes(name)) throw unknownParameter(name);
  }
  return { parameters, rest: url.slice(0, mark) };
}

/**
 * The error contains the name only if it consists of letters, because text after an unescaped question mark may be a
 * part of the password.
 */
function unknownParameter(name: string): InvalidDatabaseUrl {
  return /^[a-z_]+$/i.test(name)
    ? refused(`has the unknown parameter ${name}: the known ones are ${PARAMETERS.join(', ')}`)
    : unreadable();
}

function unreadable(): InvalidDatabaseUrl {
  return refused(
    'cannot be parsed: encode characters such as @ : / # % ? in the password, for example @ as %40',
  );
}

interface Parts {
  readonly host: string;
  readonly port: string;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

function parseRest(rest: string): Parts {
  if (!/^postgres(?:ql)?:\/\//.test(rest)) throw refused('does not begin with postgres://');
  try {
    const { host, port, user = '', password = '', database } = parse(rest);
    return { host: host ?? '', port: port ?? '', user, password, database: database ?? '' };
  } catch {
    // The original error is dropped, because its message may contain the password.
    throw unreadable();
  }
}

function portOf(text: string): number {
  const port = text === '' ? DEFAULT_PORT : Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw refused('has an invalid port');
}

function readTls(parameters: ReadonlyMap<string, string>): PostgresTls | undefined {
  const mode = parameters.get('sslmode') ?? 'disable';
  if (!MODES.includes(mode)) {
    throw refused(`has an unknown sslmode: use one of ${MODES.join(', ')}`);
  }
  if (mode === 'disable') return undefined;
  const files = {
    ca: parameters.get('sslrootcert') === 'system' ? undefined : readPem(parameters, 'sslrootcert'),
    cert: readPem(parameters, 'sslcert'),
    key: readPem(parameters, 'sslkey'),
  };
  if (mode === 'verify-ca' && files.ca === undefined) {
    throw refused(
      'has the sslmode verify-ca, which needs the file of a certificate authority in sslrootcert',
    );
  }
  const { ca, cert, key } = files;
  return {
    verify: verificationOf(mode, parameters.has('sslrootcert')),
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  };
}

function verificationOf(mode: string, namesAuthority: boolean): PostgresTls['verify'] {
  if (mode === 'verify-full') return 'name';
  return mode === 'verify-ca' || namesAuthority ? 'issuer' : 'none';
}

function readPem(parameters: ReadonlyMap<string, string>, name: string): string | undefined {
  const path = parameters.get(name);
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw refused(`names a file in ${name} that cannot be read (${reason}): ${path}`);
  }
}

function refused(what: string): InvalidDatabaseUrl {
  return new InvalidDatabaseUrl(`The address of the database ${what}.`);
}
