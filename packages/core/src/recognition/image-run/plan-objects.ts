import { normalizeLabel } from '../../identities/label.ts';
import type { Detection } from '../../detections/detection.ts';
import type { AnalyzedObject } from '../../analysis/image-analyzer.ts';
import type { ImageRun, ImageState, PlannedIdentity } from './image-run.ts';
import { pairBoxes } from './pair-boxes.ts';

/** What becomes of one found object. */
export interface ObjectPlan {
  /** The stored detection that it is; null: it is stored as a new one. */
  readonly stored: Detection | null;
  /** That of its class; stored detections keep theirs. */
  readonly identity: PlannedIdentity;
}

/** Decides what becomes of the objects of a run; answers in their order. */
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

/** The label of the identity that all objects of a class have. */
export function labelOfClass({ className }: Pick<AnalyzedObject, 'className'>): string {
  return normalizeLabel(className);
}
