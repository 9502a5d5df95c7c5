import type { NamedModels } from '@sightline/core/models/analyzer-status';
import type { ModelSlot } from '@sightline/core/models/model-slot';
import { z } from 'zod';

/** As the custom resources of a cluster name the tasks. */
const SLOTS = { Face: 'face', Object: 'object', OpenVocabulary: 'object' } as const;

/** Members that a newer operator adds are passed over. */
const SERVING_FILE = z.object({
  // As many as the writer names: a list that is refused would be followed no more.
  models: z.array(
    z.object({
      name: z.string().min(1),
      task: z.enum(Object.keys(SLOTS) as (keyof typeof SLOTS)[]),
      revision: z.string().regex(/^[0-9a-f]{64}$/, 'is no SHA-256'),
      keep: z.enum(['disk', 'loaded']),
    }),
  ),
});

/** The models that a process is to hold. */
export type ServingFile = z.infer<typeof SERVING_FILE>;
export type ServedModel = ServingFile['models'][number];

/** @throws Error with a sentence, if the text is no serving file */
export function parseServingFile(text: string): ServingFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('The serving file is not JSON.');
  }
  const parsed = SERVING_FILE.safeParse(value);
  if (parsed.success) return parsed.data;
  const [{ path, message }] = parsed.error.issues as [z.core.$ZodIssue];
  throw new Error(`The serving file is not understood: ${path.join('.')}: ${message}.`);
}

/** The slot of a model in a set. */
export function slotOfServed({ task }: Pick<ServedModel, 'task'>): ModelSlot {
  return SLOTS[task];
}

/**
 * The sets of models that are to be loaded, two at most: the first model of each slot together, then the second ones
 * with those of a slot that has one.
 */
export function setsOf({ models }: ServingFile): readonly NamedModels[] {
  const loaded = models.filter(({ keep }) => keep === 'loaded');
  const inSlot = (slot: ModelSlot) => [
    ...new Set(
      loaded.filter((model) => slotOfServed(model) === slot).map(({ revision }) => revision),
    ),
  ];
  const [faces, objects] = [inSlot('face'), inSlot('object')];
  const count = Math.min(2, Math.max(faces.length, objects.length));
  return Array.from({ length: count }, (_, index) => ({
    face: faces[index] ?? faces.at(-1),
    object: objects[index] ?? objects.at(-1),
  }));
}
