import type { Api } from '../../client/api.ts';
import { isLostAnswer, isProblem } from '../../client/api-error.ts';
import type { Send } from '../../client/create-send.ts';

/** The result of the attempts of one merge so far. */
export interface MergeState {
  /** The people who are part of another one. */
  readonly merged: ReadonlySet<number>;
  readonly operationIds: readonly number[];
  /** The person whose merge may have been carried out, because its answer was lost; null if there is none. */
  readonly lost: { readonly id: number; readonly into: number } | null;
}

export interface MergeResult extends MergeState {
  /** The reason why the rest was not merged. */
  readonly error: Error | null;
}

export const NOTHING_MERGED: MergeState = { merged: new Set(), operationIds: [], lost: null };

export interface MergeWays {
  readonly send: Send;
  readonly read: Api['read'];
}

/** Merges people into one, after those of earlier attempts, until a merge fails. */
export async function mergePeople(
  ways: MergeWays,
  before: MergeState,
  { into, ids }: { readonly into: number; readonly ids: readonly number[] },
): Promise<MergeResult> {
  const merged = new Set(before.merged);
  const operationIds = [...before.operationIds];
  for (const id of ids.filter((each) => !merged.has(each))) {
    try {
      const operationId = await mergeOne(ways, before.lost, { id, into });
      merged.add(id);
      if (operationId !== null) operationIds.push(operationId);
    } catch (error) {
      const lost = isLostAnswer(error) ? { id, into } : before.lost;
      return { merged, operationIds, lost, error: error as Error };
    }
  }
  return { merged, operationIds, lost: null, error: null };
}

async function mergeOne(
  { send, read }: MergeWays,
  lost: MergeState['lost'],
  { id, into }: { readonly id: number; readonly into: number },
): Promise<number | null> {
  try {
    return (await send('mergeIdentity', { path: { id }, body: { into } })).operationId;
  } catch (error) {
    const wasLost = lost?.id === id && lost.into === into;
    if (!wasLost || !isProblem(error, 'not_found')) throw error;
    // The lost request has merged the person, if it is not the other one who is missing.
    await read('getIdentity', { path: { id: into } });
    return null;
  }
}
