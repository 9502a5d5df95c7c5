import { labelOfClass, type ImageRun } from '../run/image-run.ts';
import type { ImageState } from '../state/image-state.ts';
import type { ObjectPlan } from './image-plan.ts';
import { pairBoxes } from './pair-boxes.ts';

/** Decides what becomes of the objects of a run; answers in the order of the analysis. */
export function planObjects(run: ImageRun, state: ImageState): readonly ObjectPlan[] {
  const objects = run.analysis.objects?.items ?? [];
  const stored = run.replace ? [] : state.detections.filter(({ type }) => type === 'object');
  const boxes = objects.map(({ bbox, className }) => ({
    bbox,
    className,
    type: 'object' as const,
  }));
  const pairs = new Map(pairBoxes(boxes, stored).map((pair) => [pair.found, stored[pair.stored]!]));
  return objects.map((object, index) => {
    const label = labelOfClass(object);
    return {
      stored: pairs.get(index) ?? null,
      identity: state.objectIdentities.get(label)?.id ?? {
        type: 'object',
        label,
        externalRef: null,
      },
    };
  });
}
