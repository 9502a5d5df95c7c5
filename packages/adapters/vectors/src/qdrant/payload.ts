/** Fields of every point. */
export const ENVIRONMENT = 'environment_id';
/** Absent if the point has no identity. */
export const IDENTITY = 'identity_id';
/** Absent from points that were written without a fingerprint. */
export const FINGERPRINT = 'fingerprint';

/**
 * Filter for the points of one environment. The value is a string, because Qdrant supports tenants
 * only for keyword fields.
 */
export function ofEnvironment(environmentId: number) {
  return { key: ENVIRONMENT, match: { value: String(environmentId) } };
}

/** @param payload returned by the server, including this field */
export function identityOf(payload: unknown): number | null {
  return numberOf(payload, IDENTITY);
}

/** @param payload returned by the server, including this field */
export function fingerprintOf(payload: unknown): number | null {
  return numberOf(payload, FINGERPRINT);
}

function numberOf(payload: unknown, field: string): number | null {
  const value = (payload as Readonly<Record<string, unknown>> | null | undefined)?.[field];
  return typeof value === 'number' ? value : null;
}
