/** The factor that each suffix of a Kubernetes quantity stands for, such as `Ki` for 1024. */
const FACTORS: Readonly<Record<string, number>> = {
  '': 1,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};
const QUANTITY = /^(\d+(?:\.\d+)?)(m|k|Ki|M|Mi|G|Gi|T|Ti)?$/;

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
  const [one, other] = [toNumber(a), toNumber(b)];
  return one !== null && one === other;
}

function toNumber(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return null;
  const [, number, suffix = ''] = QUANTITY.exec(value) ?? [];
  return number === undefined ? null : Number(number) * FACTORS[suffix]!;
}
