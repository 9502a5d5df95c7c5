import type { Deletion } from './identity-store.ts';

/** An identity whose deletion or merge has started and not ended. */
export interface DeletingIdentity extends Deletion {
  readonly environmentId: number;
  readonly id: number;
}

export interface DeletingReader {
  /** Returns at most `limit` identities whose deletion or merge has not ended, of all environments. */
  deletingIdentities(limit: number, signal?: AbortSignal): Promise<readonly DeletingIdentity[]>;
}
