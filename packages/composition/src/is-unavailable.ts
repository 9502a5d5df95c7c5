import { isErrorLike } from '@sightline/platform/errors/error-like';

/** Error codes that mean the service is down, restarting or out of connections. Retrying may help. */
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
/** Messages of drivers for errors without a code. */
const MESSAGES =
  /^(Connection terminated|timeout exceeded|timeout expired|Query read timeout|fetch failed)/;

/**
 * Whether an error, or one of its causes, means that the service is unavailable, rather than that it
 * refused the request.
 */
export function isUnavailable(error: unknown): boolean {
  for (let at: unknown = error; isErrorLike(at); at = at.cause) {
    const { code, message } = at;
    if (typeof code === 'string' && CODES.some((each) => each.test(code))) return true;
    if (MESSAGES.test(message)) return true;
  }
  return false;
}
