import { STARTER_FACES } from './starter-faces.ts';
import { STARTER_OBJECTS } from './starter-objects.ts';
import type { StarterPack } from './starter-pack.ts';

/** The tasks that a service serves. */
export type ServedTask = 'face' | 'object';

/** The pack that serves a task if no other pack does. */
export const STARTER_PACKS: Readonly<Record<ServedTask, StarterPack>> = {
  face: STARTER_FACES,
  object: STARTER_OBJECTS,
};
