import { parseQuantity } from '../plan/quantity.ts';

/**
 * Whether an object has all intended fields. Ignores defaults of the server, entries that other clients added to maps, and
 * the notation of quantities (the server stores `1000m` as `1`).
 */
export function contains(observed: unknown, intended: unknown): boolean {
  if (intended === undefined || observed === intended) return true;
  if (Array.isArray(intended)) return containsAll(observed, intended);
  if (typeof intended === 'object' && intended !== null) {
    if (typeof observed !== 'object' || observed === null) return false;
    return Object.entries(intended).every(([key, value]) =>
      contains((observed as Record<string, unknown>)[key], value),
    );
  }
  return isSameQuantity(observed, intended);
}

function containsAll(observed: unknown, intended: readonly unknown[]): boolean {
  if (!Array.isArray(observed) || observed.length !== intended.length) return false;
  return intended.every((value, at) => contains(observed[at], value));
}

function isSameQuantity(a: unknown, b: unknown): boolean {
  const [one, other] = [parseQuantity(a), parseQuantity(b)];
  return one !== null && one === other;
}
