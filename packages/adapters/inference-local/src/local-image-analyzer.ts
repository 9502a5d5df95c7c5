import type {
  AnalysisRequest,
  AnalyzerStatus,
  ImageAnalysis,
  ImageAnalyzer,
} from '@sightline/core/analysis/image-analyzer';
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

  analyze(request: AnalysisRequest, signal?: AbortSignal): Promise<ImageAnalysis> {
    return this.#engine.analyze(request, signal);
  }
}
