import type { AnalyzerStatus } from '@sightline/core/models/analyzer-status';
import type {
  AnalysisRequest,
  ImageAnalysis,
  ImageAnalyzer,
} from '@sightline/core/analysis/image-analyzer';
import type { Tenant } from '@sightline/core/analysis/tenant';
import type { DesiredModels } from '@sightline/core/models/desired-models';
import type { ModelHosts } from '@sightline/core/models/model-hosts';
import type { Engine } from '@sightline/engine/engine';

/**
 * Analyzes images with an engine in this process, which is the only host of models. The analyzer does not close the
 * engine.
 */
export class LocalImageAnalyzer implements ImageAnalyzer, ModelHosts {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  status(): Promise<AnalyzerStatus> {
    const { ready, provider, models, report, found, hasGpu } = this.#engine.status();
    return Promise.resolve({ ready, provider, models, report, found, hasGpu });
  }

  async statuses(signal: AbortSignal): Promise<readonly AnalyzerStatus[]> {
    signal.throwIfAborted();
    return [await this.status()];
  }

  hold(desired: DesiredModels, signal: AbortSignal): Promise<void> {
    return Promise.resolve().then(() => {
      signal.throwIfAborted();
      this.#engine.hold(desired);
    });
  }

  requireRoom(tenant: Tenant): void {
    this.#engine.requireRoom(tenant);
  }

  analyze(request: AnalysisRequest, signal?: AbortSignal): Promise<ImageAnalysis> {
    return this.#engine.analyze(request, signal);
  }
}
