import { ReportedModel } from '@sightline/contracts/cluster/model-report';
import { IMAGE_FORMATS } from '@sightline/core/sources/image-format';
import { z } from 'zod';
import { firstIssue } from '../first-issue.ts';
import { MalformedMessage } from './wire-errors.ts';

const finite = z.number();
const share = z.number().min(0).max(1);
const count = z.int().min(0);

export const pointSchema = z.object({ x: finite, y: finite });

const boxSchema = z.object({ x: finite, y: finite, w: finite, h: finite });

const landmarksSchema = z.array(pointSchema).readonly().nullable();

const turnSchema = z.literal([0, 90, 180, 270]);

export const modelSchema = z.object({
  name: z.string(),
  task: z.enum(['face', 'object', 'open_vocabulary']),
  version: z.string(),
  revision: z.string(),
  license: z.string(),
  commercialUse: z.union([z.boolean(), z.literal('unknown')]),
  // The default is for processes of older releases, which omit the field.
  commercialUseReason: z.string().nullable().default(null),
  provides: z.array(z.enum(['age', 'gender', 'pose', 'landmarks'])).readonly(),
  embeddingDim: z.int().positive().nullable(),
  classes: z.array(z.string()).readonly(),
  similarityCalibration: z
    .array(z.tuple([finite, finite]))
    .readonly()
    .nullable(),
});

/** An analyzer's status, without the wire version. */
export const statusSchema = z.object({
  ready: z.boolean(),
  provider: z.enum(['cpu', 'cuda']),
  models: z.array(modelSchema).readonly(),
  report: z.array(ReportedModel).readonly(),
  // Processes of older releases omit the two fields below.
  found: z.array(modelSchema).readonly().optional(),
  hasGpu: z.boolean().optional(),
});

/** The request without the image, which is the only binary part. */
export const requestSchema = z.object({
  // Processes of older releases omit and ignore this field. An answer names the models that were used, so the client
  // rejects an answer of other models.
  models: z.object({ face: z.string().optional(), object: z.string().optional() }).optional(),
  faces: z
    .object({
      detectionThreshold: share,
      embed: z.boolean(),
      attributes: z.boolean(),
      fullFramePass: z.boolean(),
      // The default is for processes of older releases, which omit the option. They ignore it in requests.
      upright: z.boolean().default(false),
    })
    .optional(),
  faceRegions: z
    .array(z.object({ bbox: boxSchema, landmarks: landmarksSchema, turned: turnSchema.optional() }))
    .readonly()
    .optional(),
  objects: z
    .object({
      confidenceThreshold: share,
      classFilter: z.array(z.string()).readonly(),
      vocabulary: z.array(z.string()).readonly().optional(),
    })
    .optional(),
  renditions: z
    .object({
      source: z.object({ maxSize: z.int().positive(), quality: finite }).optional(),
      crops: z.object({ padding: finite, quality: finite }),
      boxes: z.array(boxSchema).readonly().optional(),
    })
    .optional(),
});

/** A JPEG. `bytes` is its length among the binary parts. */
const renditionSchema = z.object({ width: count, height: count, bytes: count });

/** A face. `embedding` is the length of its embedding among the binary parts, in numbers. */
const faceSchema = z.object({
  bbox: boxSchema,
  confidence: finite,
  quality: finite,
  landmarks: landmarksSchema,
  embedding: count.nullable(),
  age: finite.nullable(),
  gender: z.enum(['M', 'F']).nullable(),
  pose: z.tuple([finite, finite, finite]).nullable(),
  // The default is for processes of older releases, which omit the field.
  turned: turnSchema.default(0),
  crop: renditionSchema.nullable(),
});

const regionSchema = z.object({
  embedding: count.nullable(),
  embeddingSource: z.enum(['aligned', 'box']).nullable(),
  landmarks: landmarksSchema,
});

const objectSchema = z.object({
  bbox: boxSchema,
  confidence: finite,
  classId: count,
  className: z.string(),
  crop: renditionSchema.nullable(),
});

export const answerSchema = z.object({
  image: z.object({
    format: z.enum(IMAGE_FORMATS),
    width: count,
    height: count,
    // The default is for processes of older releases, which omit the field.
    takenAt: z.iso
      .datetime()
      .transform((text) => new Date(text))
      .nullable()
      .default(null),
  }),
  faces: z.object({ model: modelSchema, items: z.array(faceSchema) }).nullable(),
  faceRegions: z.object({ model: modelSchema, items: z.array(regionSchema) }).nullable(),
  objects: z.object({ model: modelSchema, items: z.array(objectSchema) }).nullable(),
  source: renditionSchema.nullable(),
  // The default is for processes of older releases, which omit the field.
  boxCrops: z.array(renditionSchema).default([]),
});

export const errorSchema = z.object({
  code: z.string(),
  detail: z.string(),
  facts: z.record(z.string(), z.union([z.string(), finite, z.boolean(), z.null()])),
  /** The seconds to wait before a retry. */
  retryAfter: z.int().min(0).max(3600).nullable(),
});

/** @throws MalformedMessage */
export function parseAs<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new MalformedMessage(firstIssue(parsed.error));
}
