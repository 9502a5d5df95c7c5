import { DomainError } from '../domain-error.ts';
import { NotFound } from '../store/not-found.ts';
import type { Scope } from '../store/scope.ts';
import { clusterId, isOfFaces, parseClusterId } from './cluster-id.ts';
import { type ClusterDeps, type ClusterMembers, withGroups } from './find-clusters.ts';
import { formerMembers } from './former-members.ts';

/** The most ids of faces that an error has. */
const MOST_IDS = 1000;

/** The faces of a group are not those of its id any more. */
export class ClusterChanged extends DomainError {
  readonly code = 'cluster_changed';
  /** The first page of the group as it is now. */
  readonly cluster: ClusterMembers;
  /** The faces that came to the group, ascending, at most 1,000; null if it is not stored any more what it was. */
  readonly added: readonly number[] | null;
  /** The faces that left the group. */
  readonly removed: readonly number[] | null;

  constructor({ cluster, added, removed }: Pick<ClusterChanged, 'cluster' | 'added' | 'removed'>) {
    super(
      'The group has other faces now: look at it again, and repeat the request with its new id.',
    );
    this.cluster = cluster;
    this.added = added;
    this.removed = removed;
  }
}

interface RequiredCluster {
  readonly scope: Scope;
  readonly id: string;
  /** The most faces of a changed group that its error has. */
  readonly shown: number;
}

/**
 * Returns the faces of a group, if they are those of its id. The list may be outdated when it is returned, so that
 * transactions which act on the faces have to check whether they still are strangers.
 *
 * @throws NotFound if the face with the lowest id is in no group any more; ClusterChanged, StoreUnavailable
 */
export async function requireCluster(
  deps: ClusterDeps,
  { scope, id, shown }: RequiredCluster,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const key = parseClusterId(id);
  if (key === null) throw new NotFound('group', id);
  const query = { scope, threshold: undefined, cosine: key.cosine, tree: null, signal };
  return withGroups(deps, query, async ({ groups, asOf, modelId }, stores) => {
    const group = groups?.of(key.lowest) ?? null;
    if (groups === null || group === null || modelId === null) throw new NotFound('group', id);
    const ids = groups.idsOf(group.group);
    if (isOfFaces(key, ids)) return ids;
    const page = ids.slice(0, shown);
    const rows = new Map((await stores.groups.members(page)).map((row) => [row.id, row]));
    const reader = { cuts: deps.cuts, reader: stores.groups };
    const space = { environmentId: scope.environmentId, modelId };
    throw new ClusterChanged({
      cluster: {
        id: clusterId(ids, key.cosine),
        size: ids.length,
        members: page.flatMap((member) => rows.get(member) ?? []),
        hasMore: page.length < ids.length,
        asOf,
      },
      ...changesOf(ids, await formerMembers(reader, { space, key })),
    });
  });
}

function changesOf(
  now: readonly number[],
  before: readonly number[] | null,
): Pick<ClusterChanged, 'added' | 'removed'> {
  if (before === null) return { added: null, removed: null };
  return { added: without(now, before), removed: without(before, now) };
}

function without(ids: readonly number[], others: readonly number[]): readonly number[] {
  const known = new Set(others);
  const left = ids.filter((id) => !known.has(id));
  return left.sort((a, b) => a - b).slice(0, MOST_IDS);
}
