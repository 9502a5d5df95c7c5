import { type ImageRun, namedType } from '../run/image-run.ts';
import type { ImageState } from '../state/image-state.ts';
import type { PlannedIdentity } from './image-plan.ts';

/** The identity that the request names; null if it names none. */
export function namedIdentity(run: ImageRun, state: ImageState): PlannedIdentity | null {
  if (run.named === null) return null;
  if (state.named !== null) return state.named.id;
  if ('identityId' in run.named) return run.named.identityId;
  return { type: namedType(run), ...run.named };
}
