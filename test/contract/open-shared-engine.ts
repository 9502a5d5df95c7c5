import { DEFAULT_IMAGE_LIMITS, type ImageLimits } from '@sightline/core/sources/image-limits';
import { createEngine, type Engine } from '@sightline/engine/engine';
import { discoverPacks } from '@sightline/engine/packs/discover-packs';
import { shared } from '../support/fixtures/shared.ts';
import type { AnalyzerSetup } from './analyzer-setup.ts';

const IGNORE = () => undefined;

export function limitsOf({ limits }: AnalyzerSetup): ImageLimits {
  return { ...DEFAULT_IMAGE_LIMITS, ...limits };
}

export async function openSharedEngine(setup: AnalyzerSetup): Promise<Engine> {
  const { face, object, workers, queueLimit, onBegun = IGNORE } = setup;
  const { packs } = await discoverPacks(shared('packs'));
  const pack = (task: string) => packs.find(({ manifest }) => manifest.task === task) ?? null;
  return createEngine({
    face: face ? pack('face') : null,
    object: object ? pack('object') : null,
    provider: 'cpu',
    workers,
    queueLimit,
    limits: limitsOf(setup),
    observer: {
      jobStarted: () => onBegun(),
      jobRefused: IGNORE,
      workerLost: IGNORE,
      stageTimed: IGNORE,
      analysisRefused: IGNORE,
    },
  });
}
