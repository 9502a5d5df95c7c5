/** What the system, a driver or a server says where nobody listens, not to everyone, or not any more. */
const ABSENT = [
  /^E(AI_AGAIN|CONNREFUSED|CONNRESET|HOSTUNREACH|NETUNREACH|NOTFOUND|PIPE|TIMEDOUT)$/,
  /^ENOENT$/, // the socket of a database
  /^UND_ERR_/,
  /^SILENT$/,
  /^HANGS$/,
  /^HTTP_5\d\d$/,
  /^57P0\d$/, // it stops or starts
  /^53300$/, // it has no connection left
  /^08/,
];
/** What a driver says that has no code. */
const LOST =
  /^(Connection terminated|timeout exceeded|timeout expired|Query read timeout|fetch failed)/;

/**
 * Whether an error says that a service is not there or does not answer, rather than that it refuses
 * something: whoever asks again may get another answer.
 */
export function meansAbsence(error: unknown): boolean {
  for (let at: unknown = error; isErrorLike(at); at = at.cause) {
    const { code, message } = at;
    if (typeof code === 'string' && ABSENT.some((each) => each.test(code))) return true;
    if (LOST.test(message)) return true;
  }
  return false;
}

interface ErrorLike {
  readonly message: string;
  readonly code?: unknown;
  readonly cause?: unknown;
}

function isErrorLike(value: unknown): value is ErrorLike {
  return typeof value === 'object' && value !== null && 'message' in value;
}
