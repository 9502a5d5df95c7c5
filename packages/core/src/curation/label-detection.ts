import type { Detection } from '../detections/detection.ts';
import type { Scope } from '../store/scope.ts';
import { actOnFace, type ActOnFaceDeps } from './act-on-face.ts';
import type { LabelTarget } from './face-task.ts';

export interface LabelRequest {
  readonly scope: Scope;
  readonly id: number;
  readonly target: LabelTarget;
}

export interface LabeledDetection {
  readonly detection: Detection;
  /** Whether the face is a reference of its identity for the active model. */
  readonly enrolled: boolean;
}

/**
 * Confirms a detection as an identity, whatever it was before, and enrolls a face that has an
 * embedding. Repeating the call changes nothing.
 *
 * @throws NotFound for the detection or the identity; InvalidLabel, TypeMismatch, StoreUnavailable
 */
export async function labelDetection(
  deps: ActOnFaceDeps,
  request: LabelRequest,
  options: { readonly signal?: AbortSignal } = {},
): Promise<LabeledDetection> {
  let detection: Detection | null = null;
  const { reference } = await actOnFace(
    deps,
    { ...request, action: 'relabel' },
    {
      ...options,
      settle: async (tx) => {
        detection = await tx.detections.byId(request.id);
      },
    },
  );
  return { detection: detection!, enrolled: reference !== null };
}
