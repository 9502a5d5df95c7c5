import type { Deletion } from './identity-store.ts';

/** An identity whose deletion or merge has started and not ended. */
export interface DeletingIdentity extends Deletion {
  readonly environmentId: number;
  readonly id: number;
}

export interface DeletingReader {
  /**
   * Returns identities whose deletion or merge has not ended and has taken no step for some seconds, of all
   * environments except those that are being deleted. The one whose last step is the oldest comes first.
   */
  deletingIdentities(
    query: { readonly limit: number; readonly idleSeconds: number },
    signal?: AbortSignal,
  ): Promise<readonly DeletingIdentity[]>;
}
