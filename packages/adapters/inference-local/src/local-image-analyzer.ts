import type {
  AnalysisRequest,
  AnalyzerStatus,
  ImageAnalysis,
  ImageAnalyzer,
} from '@sightline/core/analysis/image-analyzer';
import type { Tenant } from '@sightline/core/analysis/tenant';
import type { Engine } from '@sightline/engine/engine';

/** Core's analyzer over an engine in this process. The owner of the engine closes it. */
export class LocalImageAnalyzer implements ImageAnalyzer {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  status(): Promise<AnalyzerStatus> {
    const { ready, provider, models } = this.#engine.status();
    return Promise.resolve({ ready, provider, models });
  }

  requireRoom(tenant: Tenant): void {
    this.#engine.requireRoom(tenant);
  }

  analyze(request: AnalysisRequest, signal?: AbortSignal): Promise<ImageAnalysis> {
    return this.#engine.analyze(request, signal);
  }
}
