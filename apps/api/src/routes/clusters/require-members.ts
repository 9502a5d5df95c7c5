import { DEFAULT_LIMIT } from '@sightline/contracts/pagination';
import { MAX_FACES_AT_ONCE, TooManyFaces } from '@sightline/core/curation/review-where';
import { requireCluster } from '@sightline/core/similarity/require-cluster';
import type { Scope } from '@sightline/core/store/scope';
import type { ApiContext } from '../../context/api-context.ts';

interface ClusterRequest {
  readonly query: { readonly async?: boolean | undefined };
  readonly path: { readonly cluster_id: string };
  readonly body: { readonly fields: { readonly except: readonly number[] } };
  readonly scope: Scope;
  readonly signal: AbortSignal;
}

export interface ChosenMembers {
  readonly chosen: readonly number[];
  /** The faces of the group that the request leaves out. */
  readonly excepted: readonly number[];
}

/**
 * Returns the faces of the group in the path, which has to be as its id says.
 *
 * @throws TooManyFaces; the errors of `requireCluster`
 */
export async function requireMembers(
  { database, modelStore, groupCuts, scans }: ApiContext,
  { path, query, body, scope, signal }: ClusterRequest,
): Promise<ChosenMembers> {
  const deps = { database, models: modelStore, cuts: groupCuts };
  const required = { scope, id: path.cluster_id, shown: DEFAULT_LIMIT };
  const ids = await scans.run(scope, () => requireCluster(deps, required, signal), signal);
  const except = new Set(body.fields.except);
  const chosen = ids.filter((id) => !except.has(id));
  const isTooLarge = chosen.length > MAX_FACES_AT_ONCE && query.async !== true;
  if (isTooLarge) throw new TooManyFaces(chosen.length);
  return { chosen, excepted: ids.filter((id) => except.has(id)) };
}
