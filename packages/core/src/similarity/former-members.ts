import type { GroupReader, TreeVersion } from '../groups/group-reader.ts';
import { type ClusterKey, isOfFaces } from './cluster-id.ts';
import type { GroupCuts } from './group-cuts.ts';
import { positionOf } from './grown-tree.ts';
import { LiveGroups } from './live-groups.ts';

/** The most trees that are searched. Each of them may have to be read. */
const MOST_TREES = 10;
/** The most states of a group in one tree that are compared with the id. */
const MOST_STATES = 100;

type Reader = Pick<GroupReader, 'versions' | 'tree' | 'attached' | 'departures'>;

interface Reading {
  readonly cuts: GroupCuts;
  readonly reader: Reader;
}

interface Space {
  readonly environmentId: number;
  readonly modelId: number;
}

/**
 * Finds the faces that the id of a group was made of, in the newest trees that are stored; null if they are in none.
 * Faces come to a group of a tree one after the other, when they are attached, and leave it one after the other. So few
 * states of the group have the size of the id.
 */
export async function formerMembers(
  { cuts, reader }: Reading,
  { space, key }: { readonly space: Space; readonly key: ClusterKey },
): Promise<readonly number[] | null> {
  const versions = await reader.versions(space.modelId, MOST_TREES);
  const [newest] = versions;
  if (newest === undefined) return null;
  const latest = await cuts.tree({ ...space, ...newest }, reader);
  for (const version of versions) {
    const found = await cuts.cut({ ...space, ...version }, key.cosine, reader);
    if (found === null || latest === null) continue;
    const groups = new LiveGroups(found.tree, found.cut, []);
    const group = groups.of(key.lowest);
    if (group === null || group.size < key.size) continue;
    const ids = groups.idsOf(group.group);
    const isInLatest = (id: number) => positionOf(latest.faces, id) !== -1;
    const states = {
      ids,
      attached: await attachedTo(reader, { modelId: space.modelId, version, ids }),
      // The departures of faces that the newest tree lacks are not stored any more, so their order is unknown.
      earlier: ids.filter((id) => !isInLatest(id)),
      left: await reader.departures(ids.filter(isInLatest)),
    };
    const members = stateOf(key, states);
    if (members !== null) return members;
  }
  return null;
}

/** The faces of a group that were attached to the tree, in the order in which they were. */
async function attachedTo(
  reader: Reader,
  {
    modelId,
    version,
    ids,
  }: { readonly modelId: number; readonly version: TreeVersion; readonly ids: readonly number[] },
): Promise<readonly number[]> {
  if (version.attached === 0) return [];
  const own = new Set(ids);
  const attached = (await reader.attached(modelId, version)) ?? [];
  return attached.flatMap(({ id }) => (own.has(id) ? id : []));
}

interface States {
  readonly ids: readonly number[];
  readonly attached: readonly number[];
  readonly earlier: readonly number[];
  readonly left: readonly number[];
}

/** Finds the state of a group that had the id: without the last ones that came, and without the first ones that left. */
function stateOf(
  key: ClusterKey,
  { ids, attached, earlier, left }: States,
): readonly number[] | null {
  const least = Math.max(0, attached.length - MOST_STATES);
  for (let came = attached.length; came >= least; came--) {
    const later = new Set(attached.slice(came));
    const present = ids.filter((id) => !later.has(id));
    const gone = present.length - key.size;
    if (gone < 0) return null;
    const inOrder = [...earlier, ...left].filter((id) => !later.has(id));
    const members = without(present, inOrder.slice(0, gone));
    if (isOfFaces(key, members)) return members;
  }
  return null;
}

function without(ids: readonly number[], others: readonly number[]): readonly number[] {
  const left = new Set(others);
  return ids.filter((id) => !left.has(id));
}
