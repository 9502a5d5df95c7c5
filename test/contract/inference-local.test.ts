import { LocalImageAnalyzer } from '@sightline/inference-local/local-image-analyzer';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import { createEngine } from '@sightline/engine/engine';
import { discoverPacks } from '@sightline/engine/packs/discover-packs';
import { describeWithShared } from '../support/describe-with-shared.ts';
import { shared } from '../support/shared.ts';
import type { AnalyzerSetup } from './analyzer-setup.ts';
import { describeImageAnalyzerContract } from './image-analyzer.contract.ts';

const IGNORE = () => undefined;

async function open({ face, object, workers, queueLimit, limits }: AnalyzerSetup) {
  const { packs } = await discoverPacks(shared('packs'));
  const pack = (task: string) => packs.find(({ manifest }) => manifest.task === task) ?? null;
  const engine = await createEngine({
    face: face ? pack('face') : null,
    object: object ? pack('object') : null,
    provider: 'cpu',
    workers,
    queueLimit,
    limits: { ...DEFAULT_IMAGE_LIMITS, ...limits },
    observer: {
      ...{ jobStarted: IGNORE, workerLost: IGNORE, stageTimed: IGNORE, analysisRefused: IGNORE },
    },
  });
  return {
    analyzer: new LocalImageAnalyzer(engine),
    [Symbol.asyncDispose]: () => engine.close(AbortSignal.abort()),
  };
}

describeWithShared('the local adapter', () => {
  describeImageAnalyzerContract('inference-local', open);
});
