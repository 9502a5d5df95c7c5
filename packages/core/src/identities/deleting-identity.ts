import type { Deletion } from './identity-store.ts';

/** An identity whose deletion or merge has started and not ended. */
export interface DeletingIdentity extends Deletion {
  readonly environmentId: number;
  readonly id: number;
}

export interface DeletingReader {
  /** Returns at most `limit` such identities, of all environments. */
  deletingIdentities(limit: number, signal?: AbortSignal): Promise<readonly DeletingIdentity[]>;
}
