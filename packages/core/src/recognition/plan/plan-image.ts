import type { Detection } from '../../detections/detection.ts';
import { type ImageRun, storedModel } from '../run/image-run.ts';
import type { ImageState } from '../state/image-state.ts';
import type { AnalyzedFacePlan, ImagePlan } from './image-plan.ts';
import { planFaces } from './plan-faces.ts';
import { planObjects } from './plan-objects.ts';
import { planRows } from './plan-rows.ts';

export function planImage(run: ImageRun, state: ImageState): ImagePlan {
  const faces = planFaces(run, state);
  const objects = planObjects(run, state);
  const removed =
    run.kind === 'replace' ? state.detections.filter(({ type }) => isAnalyzed(type, run)) : [];
  const decided = {
    run,
    state,
    faces,
    objects,
    removed,
    externalRef: run.posted?.externalRef ?? null,
  };
  const decisions = [...faces, ...objects].map(({ decision }) => decision);
  const changed = [...faces.filter(isChanged), ...objects.filter(({ decision }) => decision)];
  return {
    ...decided,
    ...planRows({
      ...decided,
      mentioned: decisions.map((decision) => decision?.identity ?? null),
      covered: [],
      touched: changed.map(({ stored }) => stored),
      model: storedModel(run),
    }),
  };
}

function isAnalyzed(type: Detection['type'], { faces, objects }: ImageRun): boolean {
  return (type === 'face' ? faces : objects) !== null;
}

function isChanged(plan: AnalyzedFacePlan): boolean {
  const { decision, enrollment, addsEmbedding } = plan;
  return decision !== null || enrollment !== null || addsEmbedding;
}
