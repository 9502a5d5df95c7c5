import { createHash } from 'node:crypto';

/** The number of hex digits, enough to make a chance collision of two intents practically impossible. */
const LENGTH = 16;

/** A hash of a value. Values that are equal as JSON have the same hash, regardless of the order of members. */
export function fingerprint(value: unknown): string {
  const text = JSON.stringify(value, (_key, member: unknown) => sorted(member));
  return createHash('sha256').update(text).digest('hex').slice(0, LENGTH);
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
