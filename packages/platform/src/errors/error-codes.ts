const MOST_CAUSES = 8;

/** The code of an error and of what caused it, such as `store_unavailable < ECONNREFUSED`. */
export function errorCodes(error: unknown): string {
  const codes: string[] = [];
  let cause: unknown = error;
  for (; isObject(cause) && codes.length < MOST_CAUSES; cause = cause.cause)
    codes.push(errorCode(cause));
  return codes.length === 0 ? 'unknown' : codes.join(' < ');
}

/** A code, never a text: what a library writes may hold addresses and secrets. */
export function errorCode(error: unknown): string {
  if (!isObject(error)) return 'unknown';
  // Of errors of protocols the code is a number, and the type its name.
  for (const text of [error.code, error.type, error.name]) {
    if (typeof text === 'string' && /^[A-Za-z0-9_]{2,64}$/.test(text)) return text;
  }
  return 'unknown';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
