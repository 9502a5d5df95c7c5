import type { AnalyzerStatus } from '../../models/analyzer-status.ts';
import type { ActiveModel, ModelTask } from '../../models/model.ts';
import { InferenceOverloaded } from '../../models/model-errors.ts';
import { FACE_MODEL, OBJECT_MODEL, warmModel } from '../../models/testing/sample-models.ts';
import type { BoundingBox } from '../geometry.ts';
import type {
  AnalysisRequest,
  AnalyzedFace,
  AnalyzedObject,
  EmbeddedRegion,
  FaceRegion,
  ImageAnalysis,
  ImageAnalyzer,
  JpegRendition,
  RenditionOptions,
} from '../image-analyzer.ts';
import type { Tenant } from '../tenant.ts';

const JPEG_OF_ONE_PIXEL = Buffer.from(
  '/9j/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAABAAEDASIAAhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/xAAUAQEAAAAAAAAAAAAAAAAAAAAA/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8AAA//2Q==',
  'base64',
);

const FRAME_HEADER = Buffer.from('ffc0', 'hex');

/** The bytes of every JPEG of the fake analyzer, as text. */
export const STORED_IMAGE = JPEG_OF_ONE_PIXEL.toString();

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
    turned: 0,
    crop: null,
    ...changes,
  };
}

export function analyzedObject(changes: Partial<AnalyzedObject> = {}): AnalyzedObject {
  return {
    bbox: { x: 0, y: 0, w: 50, h: 50 },
    confidence: 0.6,
    classId: 1,
    className: 'bicycle',
    crop: null,
    ...changes,
  };
}

/**
 * Replaces inference in tests. It records requests, and transfers their buffers as a worker thread does. The results
 * come from functions that a test sets; their parameter `text` is the bytes of the image as text.
 */
export class FakeAnalyzer implements ImageAnalyzer {
  readonly requests: (AnalysisRequest & { readonly text: string })[] = [];
  models: readonly ActiveModel[] = [FACE_MODEL, OBJECT_MODEL];
  ready = true;
  /** Whether the header of each JPEG contains its real size. If false, all JPEGs have the same bytes. */
  encodesSizes = false;
  imageOf: (text: string) => Pick<ImageAnalysis['image'], 'width' | 'height'> & {
    readonly takenAt?: Date;
  } = () => ({ width: 100, height: 100 });
  facesOf: (text: string) => readonly AnalyzedFace[] = () => [analyzedFace()];
  objectsOf: (text: string) => readonly AnalyzedObject[] = () => [analyzedObject()];
  regionOf: (region: FaceRegion, text: string) => EmbeddedRegion = ({ landmarks }) => ({
    embedding: Float32Array.of(1, 0),
    embeddingSource: landmarks === null ? 'box' : 'aligned',
    landmarks,
  });
  /** Runs before each analysis. It may throw or wait. */
  before: (text: string, signal?: AbortSignal) => Promise<void> = () => Promise.resolve();

  /** Called by `requireRoom`. A test lets it throw to simulate a full queue. */
  admit: (tenant: Tenant) => void = () => undefined;

  status(): Promise<AnalyzerStatus> {
    const { ready, models } = this;
    const report = models.map((model) => warmModel(model));
    return Promise.resolve({ ready, provider: 'cpu', models, report });
  }

  requireRoom(tenant: Tenant): void {
    this.admit(tenant);
  }

  async analyze(request: AnalysisRequest, signal?: AbortSignal): Promise<ImageAnalysis> {
    const text = Buffer.from(request.image).toString();
    this.requests.push({ ...request, text });
    try {
      await this.before(text, signal);
      take(request.image);
    } catch (error) {
      if (!(error instanceof InferenceOverloaded)) take(request.image);
      throw error;
    }
    const { faces, faceRegions = [], objects, renditions } = request;
    const image = this.imageOf(text);
    const withCrops = <Item extends { readonly bbox: BoundingBox }>(items: readonly Item[]) =>
      renditions ? items.map((item) => ({ ...item, crop: this.#rendition(item.bbox) })) : items;
    const faceModel = this.#model('face');
    const regionModel = faceModel?.embeddingDim == null ? undefined : faceModel;
    return {
      image: { format: 'jpeg', takenAt: null, ...image },
      faces: answer(faces && faceModel, () => withCrops(this.facesOf(text))),
      faceRegions: answer(faceRegions.length > 0 ? regionModel : undefined, () =>
        faceRegions.map((region) => this.regionOf(region, text)),
      ),
      objects: answer(objects && this.#model('object'), () => withCrops(this.objectsOf(text))),
      ...this.#renditionsOf(image, renditions),
    };
  }

  #model(of: ModelTask): ActiveModel | undefined {
    return this.models.find(({ task }) => task === of);
  }

  #renditionsOf(
    image: { readonly width: number; readonly height: number },
    options: RenditionOptions | undefined,
  ): Pick<ImageAnalysis, 'source' | 'boxCrops'> {
    const { source, boxes = [] } = options ?? {};
    const scale = Math.min(1, (source?.maxSize ?? 0) / Math.max(image.width, image.height));
    return {
      source: source ? this.#rendition({ w: image.width * scale, h: image.height * scale }) : null,
      boxCrops: boxes.map((box) => this.#rendition(box)),
    };
  }

  #rendition(box: Pick<BoundingBox, 'w' | 'h'>): JpegRendition {
    return rendition(box, this.encodesSizes);
  }
}

/** Detaches a buffer, as the transfer to a worker thread does. */
function take({ buffer }: Uint8Array): void {
  structuredClone(buffer, { transfer: [buffer as ArrayBuffer] });
}

function answer<Item>(model: ActiveModel | undefined, items: () => readonly Item[]) {
  return model ? { model, items: items() } : null;
}

function rendition({ w, h }: Pick<BoundingBox, 'w' | 'h'>, encodesSize: boolean): JpegRendition {
  const size = { width: Math.max(1, Math.round(w)), height: Math.max(1, Math.round(h)) };
  const jpeg = Uint8Array.from(JPEG_OF_ONE_PIXEL);
  if (encodesSize) {
    const frame = new DataView(jpeg.buffer, JPEG_OF_ONE_PIXEL.indexOf(FRAME_HEADER));
    frame.setUint16(5, size.height);
    frame.setUint16(7, size.width);
  }
  return { jpeg, ...size };
}
