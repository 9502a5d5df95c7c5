/** The field with the environment id, which every point has. */
export const ENVIRONMENT = 'environment_id';
/** The field with the identity id. Points without identity lack it. */
export const IDENTITY = 'identity_id';
/** The field with the checksum of the vector. Points that were written without a checksum lack it. */
export const FINGERPRINT = 'fingerprint';

/**
 * A filter for the points of one environment. The value is a string, because Qdrant supports tenants only for keyword
 * fields.
 */
export function ofEnvironment(environmentId: number) {
  return { key: ENVIRONMENT, match: { value: String(environmentId) } };
}

/** @param payload a payload from the server that was requested with this field */
export function identityOf(payload: unknown): number | null {
  return numberOf(payload, IDENTITY);
}

/** @param payload a payload from the server that was requested with this field */
export function fingerprintOf(payload: unknown): number | null {
  return numberOf(payload, FINGERPRINT);
}

function numberOf(payload: unknown, field: string): number | null {
  const value = (payload as Readonly<Record<string, unknown>> | null | undefined)?.[field];
  return typeof value === 'number' ? value : null;
}
