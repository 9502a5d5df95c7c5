import type { ReportedModel } from '../analyzer-status.ts';
import type { ActiveModel } from '../model.ts';

export const FACE_MODEL: ActiveModel = {
  name: 'faces',
  task: 'face',
  version: '1',
  revision: 'f'.repeat(64),
  license: 'MIT',
  commercialUse: true,
  commercialUseReason: null,
  provides: ['age', 'landmarks'],
  embeddingDim: 2,
  classes: [],
  similarityCalibration: null,
};

export const OBJECT_MODEL: ActiveModel = {
  ...FACE_MODEL,
  name: 'objects',
  task: 'object',
  provides: [],
  embeddingDim: null,
  classes: ['person', 'bicycle'],
};

export function warmModel(
  { name, task, revision }: Pick<ActiveModel, 'name' | 'task' | 'revision'>,
  changes: Partial<ReportedModel> = {},
): ReportedModel {
  const idle = { error: null, deaths: 0, lastRequestedSecondsAgo: null };
  return { name, task, revision, state: 'warm', ...idle, ...changes };
}
