import { keyOfSpace } from '../groups/followed-space.ts';
import type { GroupReader, TreeVersion } from '../groups/group-reader.ts';
import { cutTree, type TreeCut } from './cut-tree.ts';
import { type GrownTree, grownTree, withAttached } from './grown-tree.ts';

export interface CachedTree {
  readonly grown: GrownTree;
  /** By cosine, in the order of their last use. */
  readonly cuts: Map<number, TreeCut>;
}

export interface TreeKey extends TreeVersion {
  readonly environmentId: number;
  readonly modelId: number;
}

/** The most bytes of trees that a process keeps. A tree of 100,000 faces has 4 MB, and each of its cuts 1 MB. */
const MOST_BYTES = 128 * 1024 ** 2;
const CUTS = 4;

/** Keeps the trees that were read last, and their cuts. */
export class GroupCuts {
  readonly #trees = new Map<string, CachedTree>();

  /** Returns a tree from memory, or reads it; null if it is not stored any more. */
  async tree(
    key: TreeKey,
    reader: Pick<GroupReader, 'tree' | 'attached'>,
  ): Promise<CachedTree | null> {
    const name = `${keyOfSpace(key)}/${key.version}/${key.attached}`;
    const kept = this.#trees.get(name) ?? (await this.#read(key, reader));
    if (kept === null) return null;
    this.#trees.delete(name);
    this.#trees.set(name, kept);
    this.#forgetOldest();
    return kept;
  }

  /** A tree with attached strangers is made from the one without them, which stays the same while more are attached. */
  async #read(
    key: TreeKey,
    reader: Pick<GroupReader, 'tree' | 'attached'>,
  ): Promise<CachedTree | null> {
    if (key.attached === 0) {
      const tree = await reader.tree(key.modelId, key.version);
      return tree && { grown: grownTree(tree), cuts: new Map() };
    }
    const linked = await this.tree({ ...key, attached: 0 }, reader);
    const strangers = linked && (await reader.attached(key.modelId, key));
    return strangers && { grown: withAttached(linked.grown, strangers), cuts: new Map() };
  }

  cut({ grown, cuts }: CachedTree, cosine: number): TreeCut {
    const cut = cuts.get(cosine) ?? cutTree(grown, cosine);
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

function sizeOf({ grown: { tree, ordered }, cuts }: CachedTree): number {
  const { faces, confidences, parts, cosines } = tree;
  const arrays: readonly ArrayBufferView[] = [faces, confidences, parts, cosines, ordered];
  const ofTree = arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const ofCuts = [...cuts.values()].map(
    ({ members, starts, groupOf }) => members.byteLength + starts.byteLength + groupOf.byteLength,
  );
  return ofTree + ofCuts.reduce((sum, bytes) => sum + bytes, 0);
}
