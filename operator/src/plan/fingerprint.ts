import { createHash } from 'node:crypto';

/** Length of a fingerprint: long enough that two intents never share one by chance. */
const LENGTH = 16;

/** A hash that is equal for values which are equal as JSON, regardless of the order of members. */
export function fingerprint(value: unknown): string {
  const text = JSON.stringify(value, (_key, member: unknown) => sorted(member));
  return createHash('sha256').update(text).digest('hex').slice(0, LENGTH);
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
