const MOST_CAUSES = 8;

/** The codes of an error and of its chain of causes, such as `store_unavailable < ECONNREFUSED`. */
export function errorCodes(error: unknown): string {
  const codes: string[] = [];
  let cause: unknown = error;
  for (; isObject(cause) && codes.length < MOST_CAUSES; cause = cause.cause)
    codes.push(errorCode(cause));
  return codes.length === 0 ? 'unknown' : codes.join(' < ');
}

/**
 * The code of an error. The error's message is never used, because messages of libraries may contain addresses and
 * secrets.
 */
export function errorCode(error: unknown): string {
  if (!isObject(error)) return 'unknown';
  // A protocol error of Kafka has a number as `code` and its name in `type`.
  for (const text of [error.code, error.type, error.name]) {
    if (typeof text === 'string' && /^[A-Za-z0-9_]{2,64}$/.test(text)) return text;
  }
  return 'unknown';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
