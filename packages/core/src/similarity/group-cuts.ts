import type { StoredTree } from '../groups/followed-faces.ts';
import { byConfidence, cutTree, type TreeCut } from './cut-tree.ts';

export interface CachedTree {
  readonly tree: StoredTree;
  readonly ordered: Int32Array;
  /** By cosine, in the order of their last use. */
  readonly cuts: Map<number, TreeCut>;
}

interface TreeKey {
  readonly environmentId: number;
  readonly modelId: number;
  readonly version: number;
}

/** The most bytes of trees that a process keeps. A tree of 100,000 faces has 4 MB, and each of its cuts 1 MB. */
const MOST_BYTES = 128 * 1024 ** 2;
const CUTS = 4;

/** Keeps the trees that were read last, and their cuts. */
export class GroupCuts {
  readonly #trees = new Map<string, CachedTree>();

  /** Returns a tree from memory, or reads it; null if it is not stored any more. */
  async tree(key: TreeKey, read: () => Promise<StoredTree | null>): Promise<CachedTree | null> {
    const name = `${key.environmentId}/${key.modelId}/${key.version}`;
    const kept = this.#trees.get(name) ?? (await readTree(read));
    if (kept === null) return null;
    this.#trees.delete(name);
    this.#trees.set(name, kept);
    this.#forgetOldest();
    return kept;
  }

  cut({ tree, ordered, cuts }: CachedTree, cosine: number): TreeCut {
    const cut = cuts.get(cosine) ?? cutTree(tree, cosine, ordered);
    cuts.delete(cosine);
    cuts.set(cosine, cut);
    if (cuts.size > CUTS) cuts.delete(cuts.keys().next().value!);
    return cut;
  }

  #forgetOldest(): void {
    let bytes = 0;
    for (const [name, kept] of [...this.#trees].reverse()) {
      bytes += sizeOf(kept);
      if (bytes > MOST_BYTES) this.#trees.delete(name);
    }
  }
}

async function readTree(read: () => Promise<StoredTree | null>): Promise<CachedTree | null> {
  const tree = await read();
  return tree && { tree, ordered: byConfidence(tree), cuts: new Map() };
}

function sizeOf({ tree, ordered, cuts }: CachedTree): number {
  const { faces, confidences, parts, cosines } = tree;
  const arrays: readonly ArrayBufferView[] = [faces, confidences, parts, cosines, ordered];
  const ofTree = arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const ofCuts = [...cuts.values()].map(
    ({ members, starts, groupOf }) => members.byteLength + starts.byteLength + groupOf.byteLength,
  );
  return ofTree + ofCuts.reduce((sum, bytes) => sum + bytes, 0);
}
