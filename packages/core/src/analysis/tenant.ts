import type { Caller } from '../access/caller.ts';
import type { Scope } from '../store/scope.ts';
import type { Lane } from './lane.ts';

/**
 * The party on whose behalf an image is analyzed. In each lane, an analyzer takes turns between
 * environments, and within an environment between its callers. Both names are opaque to it.
 */
export interface Tenant {
  readonly environment: string;
  readonly caller: string;
  /** Absent: interactive. */
  readonly lane?: Lane;
}

/** The tenant of requests that came without a key. */
export const NO_TENANT: Tenant = { environment: '', caller: '' };

/** The tenant of the requests with one key. */
export function tenantOf({ environmentId, keyId }: Caller): Tenant {
  return { environment: String(environmentId), caller: `key-${keyId}` };
}

/** The tenant of an environment's jobs: they get the capacity that the keys of all environments leave. */
export function backgroundOf({ environmentId }: Scope): Tenant {
  return { environment: String(environmentId), caller: 'jobs', lane: 'background' };
}

export function laneOf({ lane = 'interactive' }: Tenant): Lane {
  return lane;
}
