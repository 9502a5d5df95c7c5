import { createHash } from 'node:crypto';

/** Enough that two intents never meet by chance. */
const LENGTH = 16;

/** The same for values that are equal as JSON, in whatever order their members are. */
export function fingerprint(value: unknown): string {
  const text = JSON.stringify(value, (_key, member: unknown) => sorted(member));
  return createHash('sha256').update(text).digest('hex').slice(0, LENGTH);
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
