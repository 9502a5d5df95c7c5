import { readFileSync } from 'node:fs';
import { parse } from 'pg-connection-string';
import type { PostgresConnection, PostgresTls } from './postgres-connection.ts';
import { SchemaMismatch } from './schema-mismatch.ts';

/** The words of libpq that a URL may hold behind its question mark. */
const WORDS = ['host', 'port', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey'];
const MODES = ['disable', 'require', 'verify-ca', 'verify-full'];
const DEFAULT_PORT = 5432;

/**
 * Reads `postgres://user:password@host:port/database?sslmode=...`, with libpq's words for TLS:
 * `sslmode` (disable, require, verify-ca or verify-full; disable if absent), `sslrootcert` (a file, or
 * `system`), `sslcert` and `sslkey`. As with libpq, `require` looks at the certificate only if it is
 * told whom to trust.
 *
 * @param servicePassword of the service's two roles; that of the URL if absent
 * @throws SchemaMismatch with a sentence that never holds a password
 */
export function parseDatabaseUrl(url: string, servicePassword?: string): PostgresConnection {
  refuseHostList(url);
  const { words, rest } = splitWords(url);
  const { host, port, user, password, database } = parseRest(rest);
  const place = { host: words.get('host') ?? host, port: words.get('port') ?? port };
  if (place.host === '') throw refused('names no host');
  if (user === '') throw refused('names no user');
  if (database === '') throw refused('names no database');
  const ssl = readTls(words);
  return {
    ...{ host: place.host, port: portOf(place.port), user, database },
    ...(password !== '' && { password }),
    ...(servicePassword !== undefined && { servicePassword }),
    ...(ssl !== undefined && { ssl }),
  };
}

/** One server is written to; which of several that is, a name or a proxy has to know. */
function refuseHostList(url: string): void {
  const authority = /^[^/]*\/\/([^/?#]*)/.exec(url)?.[1] ?? '';
  const hosts = authority.slice(authority.lastIndexOf('@') + 1);
  if (hosts.includes(',') || /[?&](?:host|port)=[^&]*(?:,|%2c)/i.test(url)) {
    throw refused('lists several hosts: name one that leads to the server that can be written to');
  }
}

function splitWords(url: string): { words: ReadonlyMap<string, string>; rest: string } {
  const mark = url.indexOf('?');
  if (mark < 0) return { words: new Map(), rest: url };
  const words = new Map(new URLSearchParams(url.slice(mark + 1)));
  for (const word of words.keys()) if (!WORDS.includes(word)) throw unknownWord(word);
  return { words, rest: url.slice(0, mark) };
}

/** Behind a question mark that should have been escaped stands a part of the password. */
function unknownWord(word: string): SchemaMismatch {
  return /^[a-z_]+$/i.test(word)
    ? refused(`has the word ${word}, which is not known: there are ${WORDS.join(', ')}`)
    : unreadable();
}

function unreadable(): SchemaMismatch {
  return refused(
    'cannot be read: letters like @ : / # % ? in a password are written as %40 and so on',
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
    // Neither the message nor the cause may get out: they may hold what was to be read.
    throw unreadable();
  }
}

function portOf(text: string): number {
  const port = text === '' ? DEFAULT_PORT : Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw refused('has a port that is none');
}

function readTls(words: ReadonlyMap<string, string>): PostgresTls | undefined {
  const mode = words.get('sslmode') ?? 'disable';
  if (!MODES.includes(mode)) {
    throw refused(`has an sslmode that is none of ${MODES.join(', ')}`);
  }
  if (mode === 'disable') return undefined;
  const files = {
    ca: words.get('sslrootcert') === 'system' ? undefined : readPem(words, 'sslrootcert'),
    cert: readPem(words, 'sslcert'),
    key: readPem(words, 'sslkey'),
  };
  if (mode === 'verify-ca' && files.ca === undefined) {
    throw refused('has the sslmode verify-ca and needs a file of an authority in sslrootcert');
  }
  const { ca, cert, key } = files;
  return {
    verify: verificationOf(mode, words.has('sslrootcert')),
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  };
}

function verificationOf(mode: string, namesAuthority: boolean): PostgresTls['verify'] {
  if (mode === 'verify-full') return 'name';
  return mode === 'verify-ca' || namesAuthority ? 'issuer' : 'none';
}

function readPem(words: ReadonlyMap<string, string>, word: string): string | undefined {
  const path = words.get(word);
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw refused(`names a file in ${word} that cannot be read (${reason}): ${path}`);
  }
}

function refused(what: string): SchemaMismatch {
  return new SchemaMismatch(`The address of the database ${what}.`);
}
