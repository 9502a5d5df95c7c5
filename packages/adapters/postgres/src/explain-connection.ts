import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { connectionFault } from '@sightline/platform/resilience/connection-fault';
import pg from 'pg';
import type { PostgresConnection } from './postgres-connection.ts';
import { SchemaMismatch } from './schema-mismatch.ts';

const NO_TLS = 'The server does not support SSL';
/** The prefix of OpenSSL's codes for files that contain no valid certificate or key. */
const UNUSABLE = 'ERR_OSSL_';
/** The beginning of the driver's message if the server requires a password and the connection has none. */
const NO_PASSWORD = 'client password must be a';

/**
 * Explains a failed login in a sentence that contains no password. Returns SchemaMismatch if a retry cannot help,
 * otherwise StoreUnavailable.
 *
 * @param user the role that tried to log in
 */
export function explainConnection(
  error: unknown,
  { host, port, database, ssl }: PostgresConnection,
  user: string,
): Error {
  const place = `${host}:${port}`;
  if (error instanceof pg.DatabaseError) {
    const said = explainRefusal(error, { place, database, user, encrypted: ssl !== undefined });
    return said === null ? unavailable(place, error) : new SchemaMismatch(said, { cause: error });
  }
  const said = explainPassword(error, { place, user }) ?? explainTls(error, host);
  return said === null ? unavailable(place, error) : new SchemaMismatch(said, { cause: error });
}

interface Attempt {
  readonly place: string;
  readonly database: string;
  readonly user: string;
  readonly encrypted: boolean;
}

function explainRefusal(
  { code, message }: pg.DatabaseError,
  { place, database, user, encrypted }: Attempt,
): string | null {
  switch (code) {
    case '28P01':
      return `The database at ${place} refuses the password of ${user}.`;
    case '28000':
      return encrypted || !message.includes('no encryption')
        ? `The database at ${place} rejects the login of ${user}: ${message}.`
        : `The database at ${place} rejects logins without encryption: set sslmode, preferably to verify-full.`;
    case '3D000':
      return `There is no database ${database} at ${place}: create it, owned by the user of SIGHTLINE_DATABASE_OWNER_URL.`;
    case '42501':
      return `The database at ${place} rejects the login of ${user}: ${message}.`;
    case undefined:
    default:
      return null;
  }
}

function explainPassword(
  error: unknown,
  { place, user }: Pick<Attempt, 'place' | 'user'>,
): string | null {
  const { message = '' } = error as { message?: string };
  return message.includes(NO_PASSWORD)
    ? `The database at ${place} asks for a password of ${user}, and none is given.`
    : null;
}

function explainTls(error: unknown, host: string): string | null {
  const { message = '', code = '' } = error as { message?: string; code?: unknown };
  if (message.startsWith(NO_TLS)) {
    return `The database at ${host} does not support TLS: set up TLS on the server, or use sslmode=disable on a private network.`;
  }
  if (typeof code !== 'string') return null;
  const fault = connectionFault(code);
  if (fault === 'other_host') {
    return `The certificate of the database is not valid for ${host}: connect to a host name that the certificate contains.`;
  }
  if (code.startsWith(UNUSABLE)) {
    return `The certificate of sslcert and the key of sslkey cannot be used (${code}): both must be PEM files, and the key must match the certificate.`;
  }
  if (fault !== 'untrusted') return null;
  return `The certificate of the database at ${host} is not trusted (${code}): set sslrootcert to the file of its certificate authority.`;
}

function unavailable(place: string, cause: unknown): StoreUnavailable {
  const { code } = cause as { code?: unknown };
  const why = typeof code === 'string' && /^\w+$/.test(code) ? ` (${code})` : '';
  return new StoreUnavailable(`The database at ${place} does not answer${why}.`, {}, { cause });
}
