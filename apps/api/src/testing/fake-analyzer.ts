import type {
  AnalysisRequest,
  AnalyzedFace,
  AnalyzerStatus,
  ImageAnalysis,
  ImageAnalyzer,
} from '@sightline/core/detections/image-analyzer';
import type { ActiveModel } from '@sightline/core/models/model';

export const FACE_MODEL: ActiveModel = {
  name: 'faces',
  task: 'face',
  version: '1',
  revision: 'f'.repeat(64),
  license: 'MIT',
  commercialUse: true,
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

export function analyzedFace(changes: Partial<AnalyzedFace> = {}): AnalyzedFace {
  return {
    bbox: { x: 10, y: 20, w: 30, h: 40 },
    confidence: 0.9,
    quality: 0.9,
    landmarks: null,
    embedding: Float32Array.of(1, 0),
    age: 30,
    gender: null,
    pose: [1, 2, 3],
    crop: null,
    ...changes,
  };
}

/**
 * Stands for inference where only what is around it matters: it keeps what it was asked, takes the
 * buffers away as a worker does, and answers with what the test sets.
 */
export class FakeAnalyzer implements ImageAnalyzer {
  readonly requests: (AnalysisRequest & { readonly text: string })[] = [];
  models: readonly ActiveModel[] = [FACE_MODEL, OBJECT_MODEL];
  ready = true;
  /** Faces of an image by its bytes as text. */
  facesOf: (text: string) => readonly AnalyzedFace[] = () => [analyzedFace()];
  /** Runs before the answer; may throw or wait. */
  before: (text: string, signal?: AbortSignal) => Promise<void> = () => Promise.resolve();

  status(): Promise<AnalyzerStatus> {
    return Promise.resolve({ ready: this.ready, provider: 'cpu', models: this.models });
  }

  async analyze(request: AnalysisRequest, signal?: AbortSignal): Promise<ImageAnalysis> {
    const taken = structuredClone(request.image, {
      transfer: [request.image.buffer as ArrayBuffer],
    });
    const text = Buffer.from(taken).toString();
    this.requests.push({ ...request, text });
    await this.before(text, signal);
    const faceModel = this.models.find(({ task }) => task === 'face');
    const objectModel = this.models.find(({ task }) => task === 'object');
    return {
      image: { format: 'jpeg', width: 100, height: 100 },
      faces: request.faces && faceModel ? { model: faceModel, items: this.facesOf(text) } : null,
      objects: request.objects && objectModel ? { model: objectModel, items: [BICYCLE] } : null,
      source: null,
    };
  }
}

const BICYCLE = {
  bbox: { x: 0, y: 0, w: 50, h: 50 },
  confidence: 0.6,
  classId: 1,
  className: 'bicycle',
  crop: null,
};
