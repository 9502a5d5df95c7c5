import type { Deletion } from './identity-store.ts';

/** An identity whose deletion or merge has begun and not ended. */
export interface DeletingIdentity extends Deletion {
  readonly environmentId: number;
  readonly id: number;
}

export interface DeletingReader {
  /** The identities of all environments whose deletion or merge has not ended. */
  deletingIdentities(limit: number, signal?: AbortSignal): Promise<readonly DeletingIdentity[]>;
}
