import type { Database, Stores } from '../database/database.ts';
import { DomainError } from '../domain-error.ts';
import type { GroupMember, GroupReader, NewestTree, TreeVersion } from '../groups/group-reader.ts';
import { leastCosine } from '../matching/calibrate-similarity.ts';
import { activeFaceModel } from '../models/active-face-model.ts';
import type { ModelStore, RegisteredModel } from '../models/model-store.ts';
import { effectiveSettings } from '../settings/effective-settings.ts';
import { NotFound } from '../store/not-found.ts';
import type { Scope } from '../store/scope.ts';
import { clusterId, parseClusterId } from './cluster-id.ts';
import type { GroupCuts, TreeKey } from './group-cuts.ts';
import { positionOf } from './grown-tree.ts';
import { type GroupPosition, LiveGroups } from './live-groups.ts';

export interface ClusterDeps {
  readonly database: Database;
  readonly models: Pick<ModelStore, 'active'>;
  readonly cuts: GroupCuts;
}

/** A group of strangers who are probably one person. */
export interface Cluster {
  readonly id: string;
  readonly size: number;
  /** The first faces, by descending confidence, then by ascending id. */
  readonly members: readonly GroupMember[];
}

/** The list continues in the version of the tree that it began with. */
export interface ClusterPosition extends GroupPosition, ClusterTotals {
  readonly tree: TreeVersion;
}

/** Members of a list that are the same on all its pages. */
interface ClusterTotals {
  readonly totalUnclustered: number;
  readonly threshold: number;
  readonly asOf: Date | null;
}

export interface ClusterQuery {
  readonly scope: Scope;
  /** The similarity of groups, -1 to 1; the environment's setting if absent. */
  readonly threshold: number | undefined;
}

export interface ClusterList extends ClusterTotals {
  readonly clusters: readonly Cluster[];
  /** The position of the last group if the list continues behind it; else null. */
  readonly next: ClusterPosition | null;
}

/** The list of groups has changed too much since its first page was read. */
export class ClustersOutdated extends DomainError {
  readonly code = 'invalid_request';

  constructor() {
    super(
      'cursor: The groups of this list are not stored any more; read the list from its beginning.',
    );
  }
}

/**
 * Reads a page of the groups of strangers, the largest first. Faces that were named, dismissed or deleted since the groups
 * were made are left out.
 *
 * @throws ClustersOutdated, StoreUnavailable
 */
export async function findClusters(
  deps: ClusterDeps,
  {
    after,
    limit,
    items,
    ...query
  }: ClusterQuery & {
    readonly after: ClusterPosition | null;
    readonly limit: number;
    /** The most faces of each group. */
    readonly items: number;
  },
  signal?: AbortSignal,
): Promise<ClusterList> {
  const threshold = after?.threshold ?? query.threshold;
  return withGroups(
    deps,
    { ...query, threshold, tree: after?.tree ?? null, signal },
    async (found, stores) => {
      const { cosine, groups, tree, strangers } = found;
      const totals: ClusterTotals = after ?? {
        totalUnclustered: Math.max(0, strangers - (groups?.faces ?? 0)),
        threshold: found.threshold,
        asOf: found.asOf,
      };
      if (groups === null) return { clusters: [], next: null, ...totalsOf(totals) };
      const page = groups.page(after, limit + 1);
      const shown = page
        .slice(0, limit)
        .map((group) => ({ group, ids: groups.idsOf(group.group) }));
      const first = shown.flatMap(({ ids }) => ids.slice(0, items));
      const rows = new Map((await stores.groups.members(first)).map((row) => [row.id, row]));
      const clusters = shown.map(({ group, ids }) => ({
        id: clusterId(ids, cosine),
        size: group.size,
        members: ids.slice(0, items).flatMap((id) => rows.get(id) ?? []),
      }));
      const last = page.length > limit ? shown.at(-1)!.group : null;
      return {
        clusters,
        next: last && {
          tree: tree!,
          size: last.size,
          confidence: last.confidence,
          firstId: last.firstId,
          ...totalsOf(totals),
        },
        ...totalsOf(totals),
      };
    },
  );
}

function totalsOf({ totalUnclustered, threshold, asOf }: ClusterTotals): ClusterTotals {
  return { totalUnclustered, threshold, asOf };
}

/** @throws StoreUnavailable */
export async function countClusters(
  deps: ClusterDeps,
  query: ClusterQuery,
  signal?: AbortSignal,
): Promise<{ readonly count: number; readonly threshold: number }> {
  return withGroups(deps, { ...query, tree: null, signal }, ({ groups, threshold }) =>
    Promise.resolve({ count: groups?.count ?? 0, threshold }),
  );
}

export interface ClusterMembers extends Cluster {
  readonly hasMore: boolean;
  readonly asOf: Date | null;
}

/**
 * Reads a page of the faces of a group, as it is now: the group that the lowest face of the id belongs to.
 *
 * @param after the last face of the previous page
 * @throws NotFound if that face is in no group any more; StoreUnavailable
 */
export async function findCluster(
  deps: ClusterDeps,
  {
    scope,
    id,
    after,
    limit,
  }: {
    readonly scope: Scope;
    readonly id: string;
    readonly after: Pick<GroupMember, 'confidence' | 'id'> | null;
    readonly limit: number;
  },
  signal?: AbortSignal,
): Promise<ClusterMembers> {
  const key = parseClusterId(id);
  if (key === null) throw new NotFound('group', id);
  const query = { scope, threshold: undefined, cosine: key.cosine, tree: null, signal };
  return withGroups(deps, query, async ({ groups, asOf }, stores) => {
    const group = groups?.of(key.lowest) ?? null;
    if (groups === null || group === null) throw new NotFound('group', id);
    const ids = groups.idsOf(group.group);
    const start = after === null ? 0 : firstBehind(groups.confidencesOf(group.group), ids, after);
    const part = ids.slice(start, start + limit);
    const rows = new Map((await stores.groups.members(part)).map((row) => [row.id, row]));
    return {
      id: clusterId(ids, key.cosine),
      size: group.size,
      members: part.flatMap((member) => rows.get(member) ?? []),
      hasMore: start + limit < ids.length,
      asOf,
    };
  });
}

function firstBehind(
  confidences: readonly number[],
  ids: readonly number[],
  after: Pick<GroupMember, 'confidence' | 'id'>,
): number {
  const at = ids.findIndex(
    (id, index) =>
      confidences[index]! < after.confidence ||
      (confidences[index] === after.confidence && id > after.id),
  );
  return at === -1 ? ids.length : at;
}

export interface FoundGroups {
  readonly threshold: number;
  readonly cosine: number;
  readonly asOf: Date | null;
  /** Null without a tree. */
  readonly groups: LiveGroups | null;
  readonly tree: TreeVersion | null;
  /** The id of the active face model; null without one. */
  readonly modelId: number | null;
  /** The number of all strangers. */
  readonly strangers: number;
}

/** Reads the groups in one snapshot with whatever else `read` reads. */
export async function withGroups<T>(
  { database, models, cuts }: ClusterDeps,
  {
    scope,
    threshold: given,
    tree: wanted,
    cosine: givenCosine,
    signal,
  }: ClusterQuery & {
    /** Null for the newest tree. */
    readonly tree: TreeVersion | null;
    readonly cosine?: number;
    readonly signal: AbortSignal | undefined;
  },
  read: (found: FoundGroups, stores: Stores) => Promise<T>,
): Promise<T> {
  const model = await activeFaceModel(models, signal);
  return database.withScope(
    scope,
    async (stores) => {
      const { settings, groups: reader } = stores;
      const [stored, strangers, departed, newest] = await Promise.all([
        settings.all(),
        reader.countStrangers(),
        reader.departed(),
        model === null ? { tree: null, asOf: null } : reader.newest(model.id),
      ]);
      const threshold = given ?? effectiveSettings(stored).clusterThreshold;
      const cosine = givenCosine ?? cosineOf(threshold, model);
      const tree = wanted ?? newest.tree;
      const modelId = model?.id ?? null;
      const common = { threshold, cosine, asOf: newest.asOf, tree, strangers, modelId };
      if (model === null || tree === null) return read({ ...common, groups: null }, stores);
      const key = { environmentId: scope.environmentId, modelId: model.id, ...tree };
      const found = await cuts.cut(key, cosine, reader);
      if (found === null) throw new ClustersOutdated();
      const left = await leftSince({ cuts, reader }, { key, newest, faces: found.tree.faces });
      const groups = new LiveGroups(found.tree, found.cut, [...departed, ...left]);
      return read({ ...common, groups }, stores);
    },
    signal,
  );
}

/** The faces of a tree that the newest one lacks. Their departures are not stored any more. */
async function leftSince(
  { cuts, reader }: Pick<ClusterDeps, 'cuts'> & { readonly reader: GroupReader },
  {
    key,
    newest,
    faces,
  }: { readonly key: TreeKey; readonly newest: NewestTree; readonly faces: Float64Array },
): Promise<Iterable<number>> {
  if (newest.tree === null || newest.tree.version === key.version) return [];
  const later = await cuts.tree({ ...key, ...newest.tree }, reader);
  return later === null ? [] : faces.filter((id) => positionOf(later.faces, id) === -1);
}

function cosineOf(threshold: number, model: RegisteredModel | null): number {
  return leastCosine(threshold, model?.similarityCalibration ?? null);
}
