/** Fields of every point. */
export const ENVIRONMENT = 'environment_id';
/** Absent where nobody is known. */
export const IDENTITY = 'identity_id';

/** Points of one environment; a text, because only such fields keep tenants together. */
export function ofEnvironment(environmentId: number) {
  return { key: ENVIRONMENT, match: { value: String(environmentId) } };
}

/** @param value of the identity's field, as the server gives it */
export function identityOf(payload: unknown): number | null {
  const value = (payload as Readonly<Record<string, unknown>> | null | undefined)?.[IDENTITY];
  return typeof value === 'number' ? value : null;
}
