import { type FoundObject, type ImageRun, labelOfClass } from '../run/image-run.ts';
import type { ImageState } from '../state/image-state.ts';
import type { ObjectPlan, PlannedIdentity } from './image-plan.ts';
import { namedIdentity } from './named-identity.ts';
import { pairBoxes } from './pair-boxes.ts';

/** Decides what becomes of the objects of a run; answers in the order of the analysis. */
export function planObjects(run: ImageRun, state: ImageState): readonly ObjectPlan[] {
  const objects = run.analysis.objects?.items ?? [];
  const isNew = run.replace || run.drawn !== null;
  const stored = isNew ? [] : state.detections.filter(({ type }) => type === 'object');
  const boxes = objects.map(({ bbox, className }) => ({
    bbox,
    className,
    type: 'object' as const,
  }));
  const pairs = new Map(pairBoxes(boxes, stored).map((pair) => [pair.found, stored[pair.stored]!]));
  return objects.map(({ className }, index) => ({
    stored: pairs.get(index) ?? null,
    identity: className === null ? namedIdentity(run, state) : identityOfClass(className, state),
  }));
}

function identityOfClass(
  className: NonNullable<FoundObject['className']>,
  { objectIdentities }: ImageState,
): PlannedIdentity {
  const label = labelOfClass(className);
  return objectIdentities.get(label)?.id ?? { type: 'object', label, externalRef: null };
}
