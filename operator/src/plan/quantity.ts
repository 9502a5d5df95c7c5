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

/** The number that a Kubernetes quantity stands for, such as 0.5 for `500m`; null if the value is none. */
export function parseQuantity(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return null;
  const [, number, suffix = ''] = QUANTITY.exec(value) ?? [];
  return number === undefined ? null : Number(number) * FACTORS[suffix]!;
}
