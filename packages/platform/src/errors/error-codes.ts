const MOST_CAUSES = 8;

/** The codes of an error and of its causes, such as `store_unavailable < ECONNREFUSED`. */
export function errorCodes(error: unknown): string {
  const codes: string[] = [];
  let cause: unknown = error;
  for (; isObject(cause) && codes.length < MOST_CAUSES; cause = cause.cause)
    codes.push(errorCode(cause));
  return codes.length === 0 ? 'unknown' : codes.join(' < ');
}

/** The code of an error, never its text: a library's text may contain addresses and secrets. */
export function errorCode(error: unknown): string {
  if (!isObject(error)) return 'unknown';
  // Kafka's protocol errors have a number as code, and their name as type.
  for (const text of [error.code, error.type, error.name]) {
    if (typeof text === 'string' && /^[A-Za-z0-9_]{2,64}$/.test(text)) return text;
  }
  return 'unknown';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
