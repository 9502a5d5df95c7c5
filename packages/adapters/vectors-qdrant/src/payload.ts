/** Fields of every point. */
export const ENVIRONMENT = 'environment_id';
/** Absent where nobody is known. */
export const IDENTITY = 'identity_id';
/** Absent from points that were written when there was none. */
export const FINGERPRINT = 'fingerprint';

/** Points of one environment; a text, because only such fields keep tenants together. */
export function ofEnvironment(environmentId: number) {
  return { key: ENVIRONMENT, match: { value: String(environmentId) } };
}

/** @param payload as the server gives it, with at least this field */
export function identityOf(payload: unknown): number | null {
  return numberOf(payload, IDENTITY);
}

/** @param payload as the server gives it, with at least this field */
export function fingerprintOf(payload: unknown): number | null {
  return numberOf(payload, FINGERPRINT);
}

function numberOf(payload: unknown, field: string): number | null {
  const value = (payload as Readonly<Record<string, unknown>> | null | undefined)?.[field];
  return typeof value === 'number' ? value : null;
}
