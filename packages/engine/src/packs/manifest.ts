import type {
  CalibrationKnots,
  CommercialUse,
  FaceAttribute,
  ModelTask,
} from '@sightline/core/models/model';
import { z } from 'zod';
import type { Size } from '../math/resize-bilinear.ts';
import { firstIssue } from '../first-issue.ts';
import { FileRefused } from '../onnx/file-refused.ts';
import { calibrationProblem } from './calibration-problem.ts';

export type ComponentRole =
  | 'FaceDetector'
  | 'FaceRecognizer'
  | 'GenderAge'
  | 'Landmark3D'
  | 'ObjectDetector'
  | 'OpenVocabularyDetector'
  | 'TextEncoder';

/**
 * The roles by task. The first role of each task is required, and an open vocabulary requires both
 * of its roles.
 */
const ROLES = {
  face: ['FaceDetector', 'FaceRecognizer', 'GenderAge', 'Landmark3D'],
  object: ['ObjectDetector'],
  open_vocabulary: ['OpenVocabularyDetector', 'TextEncoder'],
} as const satisfies Record<ModelTask, readonly ComponentRole[]>;

/** The roles whose networks see a whole image. */
const DETECTORS: ReadonlySet<ComponentRole> = new Set([
  'FaceDetector',
  'ObjectDetector',
  'OpenVocabularyDetector',
]);

/**
 * The network architectures that the pipelines can decode, by role. A `yolox` network outputs boxes
 * without grids and strides applied, whereas a `yolox_decoded` network applies them in its graph.
 */
const ARCHITECTURES = {
  FaceDetector: ['scrfd', 'yunet'],
  FaceRecognizer: ['arcface'],
  GenderAge: ['genderage', 'faceres'],
  Landmark3D: ['landmark_3d_68'],
  ObjectDetector: ['yolov5', 'yolov8', 'yolov11', 'yolox', 'yolox_decoded', 'centernet'],
  OpenVocabularyDetector: ['yolo_world', 'yolo_world_v8'],
  TextEncoder: ['clip_text'],
} as const satisfies Record<ComponentRole, readonly string[]>;

export type Architecture = (typeof ARCHITECTURES)[ComponentRole][number];

const name = z.string().min(1).max(100);
const triple = z.tuple([z.number(), z.number(), z.number()]);
const side = z.int().min(1).max(4096).nullable();

const knots = z.array(z.tuple([z.number(), z.number()]));

/**
 * The image settings of a text encoder. Its component may omit them, because a text encoder takes
 * no image.
 */
const NO_IMAGE = {
  input: { width: null, height: null },
  mean: [0, 0, 0],
  std: [1, 1, 1],
  color_order: 'rgb',
};

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, { error: 'must be 64 lower-case hex digits' });

const tokenizerFileSchema = z.object({
  file: z.string().regex(/^[^./\\\0][^/\\\0]*\.(json|txt)$/, {
    error: 'must be the name of a .json or .txt file in the folder, without a path',
  }),
  sha256,
});

const componentFields = z.object({
  role: z.enum(Object.keys(ARCHITECTURES) as [ComponentRole, ...ComponentRole[]]),
  architecture: z.enum(Object.values(ARCHITECTURES).flat() as [Architecture, ...Architecture[]]),
  /** The name of a file in the pack's folder, without a path. */
  file: z.string().regex(/^[^./\\\0][^/\\\0]*\.onnx$/, {
    error: 'must be the name of an .onnx file in the folder, without a path',
  }),
  sha256,
  /**
   * The size of the network's input in pixels; null if dynamic, which is allowed for face
   * detectors.
   */
  input: z.object({ width: side, height: side }),
  /** The network gets (value - mean) / std of values 0..255, with channels in `color_order`. */
  mean: triple,
  std: triple.refine((values) => values.every((value) => value > 0), {
    error: 'must be above 0',
  }),
  color_order: z.enum(['rgb', 'bgr'], {
    error: 'must be "rgb" or "bgr"; the spelling colour_order is not accepted',
  }),
  /**
   * The score below which the network's detections are meaningless, for face detectors only;
   * default: 0.
   */
  score_floor: z.number().min(0).max(1).optional(),
  /**
   * `square`: a detector sees every image in the middle or corner of its whole input. By default the
   * input is cut to the image, if the graph accepts any size.
   */
  letterbox: z.enum(['square'], { error: 'must be "square", or left out' }).optional(),
  embedding_dim: z.int().min(1).max(65_536).optional(),
  /**
   * For object detectors, the class names by class id. For open-vocabulary detectors, the phrases
   * to detect if a request has no vocabulary. Default: the names in the file, or else those of
   * COCO.
   */
  classes: z.array(name).min(1).max(10_000).readonly().optional(),
  /**
   * The files of a text encoder's tokenizer: `tokenizer.json`, or `vocab.json` followed by
   * `merges.txt`.
   */
  tokenizer: z.array(tokenizerFileSchema).min(1).max(2).readonly().optional(),
});

const componentSchema = z.preprocess(
  (given) => (isTextEncoder(given) ? { ...NO_IMAGE, ...given } : given),
  componentFields,
);

/** One ONNX file of a pack and its preprocessing. */
export type PackComponent = Readonly<z.infer<typeof componentFields>>;

/** A component of one role whose fields have passed the validation of the manifest. */
export type ComponentOf<Role extends ComponentRole> = PackComponent & {
  readonly role: Role;
  readonly architecture: (typeof ARCHITECTURES)[Role][number];
} & (Role extends 'ObjectDetector' | 'OpenVocabularyDetector' ? { readonly input: Size } : unknown);

const manifestSchema = z
  .object({
    /** The folder's name, which `SIGHTLINE_FACE_MODEL` and `SIGHTLINE_OBJECT_MODEL` refer to. */
    name,
    task: z.enum(Object.keys(ROLES) as [ModelTask, ...ModelTask[]]),
    version: name,
    /** The SPDX expression or common name of the license; `unknown` if the license is not known. */
    license: name,
    commercial_use: z.union([z.boolean(), z.literal('unknown')], {
      error: 'must be true, false or "unknown"',
    }),
    /** One sentence, required if `commercial_use` is `unknown`. */
    commercial_use_reason: z.string().min(1).max(500).optional(),
    provides: z.array(z.enum(['age', 'gender', 'pose', 'landmarks'])),
    components: z.array(componentSchema).min(1),
    /** The knots from raw cosine to similarity, see core's CalibrationKnots. */
    similarity_calibration: knots.optional(),
    /**
     * The knots from the detector's score to quality. Automatic enrollment compares the quality
     * with its threshold.
     */
    quality_calibration: knots.optional(),
  })
  .superRefine((manifest, context) => {
    for (const message of manifestProblems(manifest)) context.addIssue({ code: 'custom', message });
  });

export interface PackManifest {
  readonly name: string;
  readonly task: ModelTask;
  readonly version: string;
  readonly license: string;
  readonly commercial_use: CommercialUse;
  readonly commercial_use_reason?: string | undefined;
  readonly provides: readonly FaceAttribute[];
  readonly components: readonly PackComponent[];
  readonly similarity_calibration?: CalibrationKnots | undefined;
  readonly quality_calibration?: CalibrationKnots | undefined;
}

/** A pack with a valid manifest whose files match the manifest. It can be structured-cloned. */
export interface ModelPack {
  readonly manifest: PackManifest;
  readonly directory: string;
  /** The SHA-256 (hex) of the components and their preprocessing. */
  readonly revision: string;
}

/**
 * Validates the text of a `manifest.json`.
 *
 * @throws FileRefused naming the first invalid field
 */
export function parseManifest(text: string): PackManifest {
  const result = manifestSchema.safeParse(parseJson(text));
  if (result.success) return result.data;
  throw new FileRefused(`is not a valid manifest (${firstIssue(result.error)})`);
}

export function taskOfRole(role: ComponentRole): ModelTask {
  const tasks = Object.keys(ROLES) as ModelTask[];
  return tasks.find((task) => (ROLES[task] as readonly ComponentRole[]).includes(role))!;
}

/**
 * Returns the component of a role, if the pack has one.
 *
 * @param manifest a validated manifest, because the result's type relies on the rules between
 *   fields
 */
export function findComponent<Role extends ComponentRole>(
  manifest: PackManifest,
  role: Role,
): ComponentOf<Role> | undefined {
  return manifest.components.find(
    (component): component is ComponentOf<Role> => component.role === role,
  );
}

function isTextEncoder(given: unknown): given is object {
  return (
    typeof given === 'object' && given !== null && 'role' in given && given.role === 'TextEncoder'
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new FileRefused('is not JSON');
  }
}

function* manifestProblems(manifest: PackManifest): Generator<string> {
  const { task, components } = manifest;
  const allowed: readonly ComponentRole[] = ROLES[task];
  const required = task === 'open_vocabulary' ? allowed : allowed.slice(0, 1);
  for (const role of required) {
    if (findComponent(manifest, role) === undefined) {
      yield `a pack of task ${task} needs a component of role ${role}`;
    }
  }
  const seen = new Set<ComponentRole>();
  for (const component of components) {
    if (seen.has(component.role)) yield `two components have the role ${component.role}`;
    if (!allowed.includes(component.role)) {
      yield `a pack of task ${task} cannot have a component of role ${component.role}`;
    }
    seen.add(component.role);
    yield* componentProblems(component);
  }
  if (manifest.commercial_use === 'unknown' && manifest.commercial_use_reason === undefined) {
    yield 'commercial_use_reason must say why the commercial use is unknown';
  }
  yield* calibrationProblems(manifest);
}

function* calibrationProblems(manifest: PackManifest): Generator<string> {
  for (const [field, min] of [
    ['similarity_calibration', -1],
    ['quality_calibration', 0],
  ] as const) {
    const given = manifest[field];
    const problem = given && calibrationProblem(given, min);
    if (problem != null) yield `${field} ${problem}`;
  }
}

function* componentProblems(component: PackComponent): Generator<string> {
  const { role, architecture } = component;
  const known: readonly Architecture[] = ARCHITECTURES[role];
  if (!known.includes(architecture)) {
    yield `the architecture ${architecture} does not fit the role ${role}`;
  }
  if (role === 'FaceRecognizer' && component.embedding_dim === undefined) {
    yield 'a component of role FaceRecognizer needs embedding_dim';
  }
  if (component.letterbox !== undefined && !DETECTORS.has(role)) {
    yield 'only a detector has a letterbox';
  }
  if (role !== 'FaceDetector' && component.score_floor !== undefined) {
    yield 'only a component of role FaceDetector has a score_floor';
  }
  yield* tokenizerProblems(component);
  yield* inputProblems(component);
}

function* tokenizerProblems({ role, tokenizer }: PackComponent): Generator<string> {
  if (role !== 'TextEncoder') {
    if (tokenizer !== undefined) yield 'only a component of role TextEncoder has a tokenizer';
    return;
  }
  const endings = tokenizer?.map(({ file }) => file.slice(file.lastIndexOf('.'))).join();
  if (endings !== '.json' && endings !== '.json,.txt') {
    yield 'a component of role TextEncoder needs a tokenizer: tokenizer.json, or vocab.json and merges.txt';
  }
}

function* inputProblems({ role, architecture, input }: PackComponent): Generator<string> {
  const { width, height } = input;
  if (architecture === 'yunet' && ((width ?? 0) % 32 > 0 || (height ?? 0) % 32 > 0)) {
    yield 'a component of architecture yunet needs an input with sides that are multiples of 32';
  }
  const isFixed = role === 'ObjectDetector' || role === 'OpenVocabularyDetector';
  if (isFixed && (width === null || height === null)) {
    yield `a component of role ${role} needs an input of fixed size`;
  }
}
