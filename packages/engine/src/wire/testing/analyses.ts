import type {
  AnalysisRequest,
  ImageAnalysis,
  JpegRendition,
} from '@sightline/core/analysis/image-analyzer';
import { IMAGE_FORMATS } from '@sightline/core/sources/image-format';
import fc from 'fast-check';
import type { ActiveModel } from '@sightline/core/models/model';

/** Adding 0 turns negative zero into zero, because JSON has no negative zero. */
const real = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const share = fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0);
const size = fc.integer({ min: 0, max: 100_000 });
const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null });
const point = fc.record({ x: real, y: real });
const box = fc.record({ x: real, y: real, w: real, h: real });
const landmarks = orNull(fc.array(point, { maxLength: 6 }));
const turned = fc.constantFrom(...([0, 90, 180, 270] as const));
const bytes = fc.uint8Array({ maxLength: 300 });
/** The numbers can have any bits, because they must arrive unchanged. */
const embedding = fc.float32Array({ maxLength: 40 });

const rendition: fc.Arbitrary<JpegRendition> = fc.record({
  jpeg: bytes,
  width: size,
  height: size,
});

const model: fc.Arbitrary<ActiveModel> = fc.record({
  name: fc.string(),
  task: fc.constantFrom('face', 'object'),
  version: fc.string(),
  revision: fc.string({ unit: 'binary' }),
  license: fc.string(),
  commercialUse: fc.constantFrom(...([true, false, 'unknown'] as const)),
  commercialUseReason: orNull(fc.string()),
  provides: fc.subarray(['age', 'gender', 'pose', 'landmarks'] as const),
  embeddingDim: orNull(fc.integer({ min: 1, max: 4096 })),
  classes: fc.array(fc.string(), { maxLength: 5 }),
  similarityCalibration: orNull(fc.array(fc.tuple(real, real), { maxLength: 3 })),
});

const face = fc.record({
  bbox: box,
  confidence: share,
  quality: share,
  landmarks,
  embedding: orNull(embedding),
  age: orNull(real),
  gender: orNull(fc.constantFrom('M', 'F')),
  pose: orNull(fc.tuple(real, real, real)),
  turned,
  crop: orNull(rendition),
});

const region = fc.record({
  embedding: orNull(embedding),
  embeddingSource: orNull(fc.constantFrom('aligned' as const, 'box' as const)),
  landmarks,
});

const object = fc.record({
  bbox: box,
  confidence: share,
  classId: size,
  className: fc.string(),
  crop: orNull(rendition),
});

const found = <T>(item: fc.Arbitrary<T>) =>
  orNull(fc.record({ model, items: fc.array(item, { maxLength: 4 }) }));

export const analyses: fc.Arbitrary<ImageAnalysis> = fc.record({
  image: fc.record({
    format: fc.constantFrom(...IMAGE_FORMATS),
    width: size,
    height: size,
    takenAt: fc.option(fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })),
  }),
  faces: found(face),
  faceRegions: found(region),
  objects: found(object),
  source: orNull(rendition),
  boxCrops: fc.array(rendition, { maxLength: 3 }),
});

export const requests: fc.Arbitrary<AnalysisRequest> = fc.record(
  {
    image: bytes,
    models: fc.record({ face: fc.string(), object: fc.string() }, { requiredKeys: [] }),
    faces: fc.record({
      detectionThreshold: share,
      embed: fc.boolean(),
      attributes: fc.boolean(),
      fullFramePass: fc.boolean(),
      upright: fc.boolean(),
    }),
    faceRegions: fc.array(
      fc.record({ bbox: box, landmarks, turned }, { requiredKeys: ['bbox', 'landmarks'] }),
      { maxLength: 4 },
    ),
    objects: fc.record(
      {
        confidenceThreshold: share,
        classFilter: fc.array(fc.string(), { maxLength: 3 }),
        vocabulary: fc.array(fc.string(), { maxLength: 3 }),
      },
      { requiredKeys: ['confidenceThreshold', 'classFilter'] },
    ),
    renditions: fc.record(
      {
        source: fc.record({ maxSize: fc.integer({ min: 1, max: 10_000 }), quality: real }),
        crops: fc.record({ padding: real, quality: real }),
        boxes: fc.array(box, { maxLength: 3 }),
      },
      { requiredKeys: ['crops'] },
    ),
  },
  { requiredKeys: ['image'] },
);
