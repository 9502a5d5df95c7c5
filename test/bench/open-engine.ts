import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import type { StageTiming } from '@sightline/engine/analyze-image';
import { createEngine, type Engine } from '@sightline/engine/engine';
import type { SelectedPacks } from '@sightline/engine/packs/select-packs';

const IGNORE = () => undefined;

export function openEngine(
  models: SelectedPacks,
  workers = 1,
  stageTimed: (timing: StageTiming) => void = IGNORE,
): Promise<Engine> {
  return createEngine({
    ...models,
    provider: 'cpu',
    workers,
    queueLimit: 10_000,
    limits: DEFAULT_IMAGE_LIMITS,
    observer: {
      stageTimed,
      analysisRefused: IGNORE,
      jobStarted: IGNORE,
      jobRefused: IGNORE,
      workerLost: IGNORE,
    },
  });
}
