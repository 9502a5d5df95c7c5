import type { StarterPack } from './starter-pack.ts';
import { STARTER_FACES } from './starter-faces.ts';
import { STARTER_OBJECTS } from './starter-objects.ts';

/** The tasks that a service answers. */
export type ServedTask = 'face' | 'object';

/** What serves a task for which no other pack is there. */
export const STARTER_PACKS: Readonly<Record<ServedTask, StarterPack>> = {
  face: STARTER_FACES,
  object: STARTER_OBJECTS,
};
