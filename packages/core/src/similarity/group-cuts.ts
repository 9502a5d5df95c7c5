import { keyOfSpace } from '../groups/followed-space.ts';
import type { StoredTree } from '../groups/followed-faces.ts';
import type { GroupReader, TreeVersion } from '../groups/group-reader.ts';
import { cutTree, type TreeCut } from './cut-tree.ts';
import { type GrownTree, grownTree, withAttached } from './grown-tree.ts';

/** A tree in memory, with its cuts. */
class CachedTree {
  readonly grown: GrownTree;
  /** By cosine, in the order of their last use. */
  readonly #cuts = new Map<number, TreeCut>();
  #bytes: number;

  constructor(grown: GrownTree) {
    this.grown = grown;
    const { faces, confidences, parts, cosines } = grown.tree;
    this.#bytes =
      ENTRY_BYTES +
      bytesOf([faces, confidences, parts, cosines, grown.ordered]) +
      bytesOf(Object.values(grown.attached));
  }

  /** The memory of the tree and its cuts. */
  get bytes(): number {
    return this.#bytes;
  }

  cut(cosine: number): TreeCut {
    const kept = this.#cuts.get(cosine);
    const cut = kept ?? cutTree(this.grown, cosine);
    this.#cuts.delete(cosine);
    this.#cuts.set(cosine, cut);
    if (kept === undefined) this.#bytes += bytesOfCut(cut);
    if (this.#cuts.size > CUTS) {
      const [oldest, { value }] = [this.#cuts.keys().next().value!, this.#cuts.values().next()];
      this.#cuts.delete(oldest);
      this.#bytes -= bytesOfCut(value!);
    }
    return cut;
  }
}

export interface TreeKey extends TreeVersion {
  readonly environmentId: number;
  readonly modelId: number;
}

type TreeReader = Pick<GroupReader, 'tree' | 'attached'>;

/** The most bytes of trees that a process keeps. A tree of 100,000 faces has 4 MB, and each of its cuts 1 MB. */
const MOST_BYTES = 128 * 1024 ** 2;
const CUTS = 4;
/** The memory of a tree, or of a cut, beside the values in its arrays; measured with trees of two faces. */
const ENTRY_BYTES = 2_000;

/** Keeps the trees that were read last, and their cuts. */
export class GroupCuts {
  /** In the order of their last use. */
  readonly #trees = new Map<string, CachedTree>();
  readonly #mostBytes: number;
  #bytes = 0;

  constructor(mostBytes = MOST_BYTES) {
    this.#mostBytes = mostBytes;
  }

  /** Returns a tree from memory, or reads it; null if it is not stored any more. */
  async tree(key: TreeKey, reader: TreeReader): Promise<StoredTree | null> {
    return (await this.#cached(key, reader))?.grown.tree ?? null;
  }

  /** Returns a tree with its cut at a cosine; null if it is not stored any more. */
  async cut(
    key: TreeKey,
    cosine: number,
    reader: TreeReader,
  ): Promise<{ readonly tree: StoredTree; readonly cut: TreeCut } | null> {
    const cached = await this.#cached(key, reader);
    if (cached === null) return null;
    const { bytes } = cached;
    const cut = cached.cut(cosine);
    if (this.#trees.get(nameOf(key)) === cached) this.#bytes += cached.bytes - bytes;
    this.#forgetOldest();
    return { tree: cached.grown.tree, cut };
  }

  async #cached(key: TreeKey, reader: TreeReader): Promise<CachedTree | null> {
    const name = nameOf(key);
    const read = this.#trees.get(name) ?? (await this.#read(key, reader));
    // Another request may have read the same tree.
    const kept = this.#trees.get(name) ?? read;
    if (kept === null) return null;
    this.#remove(name);
    this.#trees.set(name, kept);
    this.#bytes += kept.bytes;
    this.#forgetOldest();
    return kept;
  }

  /** A tree with attached strangers is made from the one without them, which stays the same while more are attached. */
  async #read(key: TreeKey, reader: TreeReader): Promise<CachedTree | null> {
    if (key.attached === 0) {
      const tree = await reader.tree(key.modelId, key.version);
      return tree && new CachedTree(grownTree(tree));
    }
    const linked = await this.#cached({ ...key, attached: 0 }, reader);
    const strangers = linked && (await reader.attached(key.modelId, key));
    return strangers && new CachedTree(withAttached(linked.grown, strangers));
  }

  #remove(name: string): void {
    this.#bytes -= this.#trees.get(name)?.bytes ?? 0;
    this.#trees.delete(name);
  }

  #forgetOldest(): void {
    for (const name of this.#trees.keys()) {
      if (this.#bytes <= this.#mostBytes) return;
      this.#remove(name);
    }
  }
}

function nameOf(key: TreeKey): string {
  return `${keyOfSpace(key)}/${key.version}/${key.attached}`;
}

function bytesOf(arrays: readonly ArrayBufferView[]): number {
  return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

function bytesOfCut({ members, starts, groupOf }: TreeCut): number {
  return ENTRY_BYTES + bytesOf([members, starts, groupOf]);
}
