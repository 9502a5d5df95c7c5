import { LocalImageAnalyzer } from '@sightline/analysis/local/local-image-analyzer';
import { describeWithShared } from '../support/gates/describe-with-shared.ts';
import type { AnalyzerSetup } from './analyzer-setup.ts';
import { openHostEngine } from './hosts-setup.ts';
import { describeImageAnalyzerContract } from './image-analyzer.contract.ts';
import { describeModelHostsContract } from './model-hosts.contract.ts';
import { openSharedEngine } from './open-shared-engine.ts';

async function open(setup: AnalyzerSetup) {
  const engine = await openSharedEngine(setup);
  return {
    analyzer: new LocalImageAnalyzer(engine),
    [Symbol.asyncDispose]: () => engine.close(AbortSignal.abort()),
  };
}

describeWithShared('the local adapter', () => {
  describeImageAnalyzerContract('inference-local', open);
});

describeModelHostsContract('inference-local', async (packs) => {
  const engine = await openHostEngine(packs);
  const analyzer = new LocalImageAnalyzer(engine);
  return {
    hosts: analyzer,
    analyzer,
    [Symbol.asyncDispose]: () => engine.close(AbortSignal.abort()),
  };
});
