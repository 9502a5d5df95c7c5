import { type FoundObject, type ImageRun, labelOfClass } from '../run/image-run.ts';
import type { ImageState } from '../state/image-state.ts';
import {
  type DetectionPlan,
  namedIdentity,
  type PlannedDecision,
  type PlannedIdentity,
} from './image-plan.ts';
import { pairBoxes } from './pair-boxes.ts';

export function planObjects(run: ImageRun, state: ImageState): readonly DetectionPlan[] {
  const objects = run.objects ?? [];
  const stored =
    run.kind === 'compare' ? state.detections.filter(({ type }) => type === 'object') : [];
  const boxes = objects.map(({ bbox, className }) => ({
    bbox,
    className,
    type: 'object' as const,
  }));
  const pairs = new Map(pairBoxes(boxes, stored).map((pair) => [pair.found, stored[pair.stored]!]));
  return objects.map((object, index) => {
    const found = pairs.get(index) ?? null;
    const decision = found === null ? decideObject(object, run, state) : null;
    return { stored: found, decision };
  });
}

/** A detected object gets the identity of its class. A drawn object gets the identity that the request names. */
function decideObject(
  { className }: FoundObject,
  run: ImageRun,
  state: ImageState,
): PlannedDecision {
  const identity =
    className === null ? namedIdentity(run, state) : identityOfClass(className, state);
  return {
    identity,
    similarity: null,
    reviewStatus: identity === null ? 'pending' : 'confirmed',
    decidedBy: run.kind === 'draw' ? 'human' : 'automatic',
  };
}

function identityOfClass(
  className: NonNullable<FoundObject['className']>,
  { objectIdentities }: ImageState,
): PlannedIdentity {
  const label = labelOfClass(className);
  return objectIdentities.get(label)?.id ?? { type: 'object', label, externalRef: null };
}
