import type { Caller } from '../access/caller.ts';
import type { Scope } from '../store/scope.ts';

/**
 * On whose behalf an image is analyzed. Analyzers take turns between environments, and within one
 * between its callers; both names are opaque to them.
 */
export interface Tenant {
  readonly environment: string;
  readonly caller: string;
}

/** The tenant of what came without a key. */
export const NO_TENANT: Tenant = { environment: '', caller: '' };

/** The requests of one key. */
export function tenantOf({ environmentId, keyId }: Caller): Tenant {
  return { environment: String(environmentId), caller: `key-${keyId}` };
}

/** The jobs of an environment: they take turns with its keys, as if they were one more. */
export function backgroundOf({ environmentId }: Scope): Tenant {
  return { environment: String(environmentId), caller: 'jobs' };
}
