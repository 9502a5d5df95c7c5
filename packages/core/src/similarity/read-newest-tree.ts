import type { Database } from '../database/database.ts';
import type { AttachedStranger, StoredTree } from '../groups/followed-faces.ts';
import type { NewestTree } from '../groups/group-reader.ts';
import type { TurnPosition } from './similarity-queue.ts';

interface ReadTree extends NewestTree {
  /** Null if no tree is stored. */
  readonly linked: StoredTree | null;
  readonly attached: readonly AttachedStranger[];
}

/** Reads the tree of a space that was stored last, with the strangers that were attached to it. @throws StoreUnavailable */
export async function readNewestTree(
  database: Pick<Database, 'withScope'>,
  { environmentId, modelId }: TurnPosition,
): Promise<ReadTree> {
  return database.withScope({ environmentId }, async ({ groups }) => {
    const newest = await groups.newest(modelId);
    const { tree } = newest;
    if (tree === null) return { ...newest, linked: null, attached: [] };
    const linked = await groups.tree(modelId, tree.version);
    return { ...newest, linked, attached: (await groups.attached(modelId, tree)) ?? [] };
  });
}
