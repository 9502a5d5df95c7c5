import type { Caller } from '../access/caller.ts';
import type { Scope } from '../store/scope.ts';
import type { Lane } from './lane.ts';

/**
 * On whose behalf an image is analyzed. In each lane, analyzers take turns between environments, and
 * within one between its callers; both names are opaque to them.
 */
export interface Tenant {
  readonly environment: string;
  readonly caller: string;
  /** Absent: interactive. */
  readonly lane?: Lane;
}

/** The tenant of what came without a key. */
export const NO_TENANT: Tenant = { environment: '', caller: '' };

/** The requests of one key. */
export function tenantOf({ environmentId, keyId }: Caller): Tenant {
  return { environment: String(environmentId), caller: `key-${keyId}` };
}

/** The jobs of an environment: they take what the keys of all environments leave. */
export function backgroundOf({ environmentId }: Scope): Tenant {
  return { environment: String(environmentId), caller: 'jobs', lane: 'background' };
}

export function laneOf({ lane = 'interactive' }: Tenant): Lane {
  return lane;
}
