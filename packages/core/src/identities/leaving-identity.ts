import type { Leaving } from './identity-store.ts';

/** An identity that leaves in several transactions, which have begun and not ended. */
export interface LeavingIdentity extends Leaving {
  readonly environmentId: number;
  readonly id: number;
}

export interface LeavingReader {
  /** Those of all environments. */
  leaving(limit: number, signal?: AbortSignal): Promise<readonly LeavingIdentity[]>;
}
