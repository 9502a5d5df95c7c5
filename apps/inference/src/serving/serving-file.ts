import { type ServedModel, ServingFile } from '@sightline/contracts/cluster/serving-file';
import type { NamedModels } from '@sightline/core/models/analyzer-status';
import type { ModelSlot } from '@sightline/core/models/model-slot';
import type { z } from 'zod';

const SLOTS = { Face: 'face', Object: 'object', OpenVocabulary: 'object' } as const;

/** @throws Error with a sentence, if the text is no serving file */
export function parseServingFile(text: string): ServingFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('The serving file is not JSON.');
  }
  const parsed = ServingFile.safeParse(value);
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
