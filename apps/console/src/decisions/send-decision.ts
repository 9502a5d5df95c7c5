import { isProblem, isTemporary, ProblemError } from '../client/api-error.ts';
import type { Api } from '../client/api.ts';
import type { Decision, SeenState } from './decision-state.ts';

/** The face is no longer as the person saw it. */
export class DecidedElsewhereError extends Error {
  override readonly name = 'DecidedElsewhereError';
}

/**
 * Sends a decision, unless another person has decided about the face since it was shown.
 *
 * @param begin is called right before the request that carries it out
 */
export async function sendDecision(
  api: Api,
  decision: Decision,
  begin: () => void,
): Promise<number | null> {
  const { face, verdict, seen, wasSent } = decision;
  // A request that was sent before may have changed the face itself.
  if (verdict.kind !== 'undo' && !wasSent) await expectSeen(api, face, seen);
  begin();
  const { operationId } = await request(api, decision);
  return operationId;
}

/** Endpoints for decisions about a face overwrite those of others, so the face is read before. */
async function expectSeen(api: Api, face: number, { status, identityId }: SeenState) {
  const current = await api.read('getDetection', { path: { id: face } });
  const isSame =
    current.review_status === status &&
    (identityId === undefined || current.identity_id === identityId);
  if (!isSame) throw new DecidedElsewhereError();
}

async function request(api: Api, { id: key, face, verdict }: Decision) {
  const headers = { 'Idempotency-Key': key };
  const path = { id: face };
  switch (verdict.kind) {
    case 'confirm':
      return api.send('confirmFace', { path, headers, body: { identity_id: verdict.identityId } });
    case 'name':
      return api.send('reassignFace', { path, headers, body: { name: verdict.name } });
    case 'reject':
      return api.send('rejectFace', { path, headers });
    case 'unassign':
      return api.send('unassignFace', { path, headers });
    case 'keep':
      return api.send('dismissMismatch', { path, headers });
    case 'dismiss':
      return api.send('dismissDetections', { headers, body: { detection_ids: [face] } });
    case 'undo':
      return api.send('undoOperation', { path: { id: verdict.operationId! }, headers, body: {} });
  }
}

const LONGEST_PAUSE = 15;

/** @returns the seconds after which to send again, or the result of a decision that the service did not accept */
export function judgeFailure(error: unknown, failures: number): number | 'elsewhere' | 'refused' {
  if (error instanceof DecidedElsewhereError) return 'elsewhere';
  // A session that has ended is renewed over the page.
  if (isTemporary(error) || isProblem(error, 'unauthenticated', 'in_progress')) {
    const requested = error instanceof ProblemError ? error.retryAfter : null;
    return requested ?? Math.min(2 ** failures, LONGEST_PAUSE);
  }
  return isProblem(error, 'not_found', 'changed_since') ? 'elsewhere' : 'refused';
}
