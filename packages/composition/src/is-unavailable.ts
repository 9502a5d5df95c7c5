import { isErrorLike } from '@sightline/platform/errors/error-like';

/** Error codes of a service that is down, restarting or out of connections, for which a retry may help. */
const CODES = [
  /^E(AI_AGAIN|CONNREFUSED|CONNRESET|HOSTUNREACH|NETUNREACH|NOTFOUND|PIPE|TIMEDOUT)$/,
  /^ENOENT$/, // the Unix socket of a database
  /^UND_ERR_/,
  /^SILENT$/,
  /^HANGS$/,
  /^HTTP_5\d\d$/,
  /^57P0\d$/, // PostgreSQL starts or shuts down
  /^53300$/, // PostgreSQL has no connection left
  /^08/,
];
/** Messages of errors that drivers throw without a code. */
const MESSAGES =
  /^(Connection terminated|timeout exceeded|timeout expired|Query read timeout|fetch failed)/;

/**
 * Whether an error, or one of its causes, means that the service is unavailable. False if the service refused the
 * request.
 */
export function isUnavailable(error: unknown): boolean {
  for (let at: unknown = error; isErrorLike(at); at = at.cause) {
    const { code, message } = at;
    if (typeof code === 'string' && CODES.some((each) => each.test(code))) return true;
    if (MESSAGES.test(message)) return true;
  }
  return false;
}
