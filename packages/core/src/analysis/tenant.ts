import type { Caller } from '../access/caller.ts';
import type { Scope } from '../store/scope.ts';
import type { Lane } from './lane.ts';

/**
 * The environment and the caller that an analysis is for. In each lane, an analyzer serves environments in turn, and
 * the callers of an environment in turn. The analyzer does not interpret the two names.
 */
export interface Tenant {
  readonly environment: string;
  readonly caller: string;
  /** The default is interactive. */
  readonly lane?: Lane;
}

/** The tenant of requests without an API key. */
export const NO_TENANT: Tenant = { environment: '', caller: '' };

export function tenantOf({ environmentId, keyId, accountId }: Caller): Tenant {
  const caller = keyId === null ? `account-${accountId}` : `key-${keyId}`;
  return { environment: String(environmentId), caller };
}

/** The tenant of an environment's jobs, which get the capacity that requests of all environments leave. */
export function backgroundOf({ environmentId }: Scope): Tenant {
  return { environment: String(environmentId), caller: 'jobs', lane: 'background' };
}

export function laneOf({ lane = 'interactive' }: Tenant): Lane {
  return lane;
}
