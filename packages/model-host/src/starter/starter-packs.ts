import type { ModelSlot } from '@sightline/core/models/model-slot';
import { STARTER_FACES } from './starter-faces.ts';
import { STARTER_OBJECTS } from './starter-objects.ts';
import type { StarterPack } from './starter-pack.ts';

export const STARTER_PACKS: Readonly<Record<ModelSlot, StarterPack>> = {
  face: STARTER_FACES,
  object: STARTER_OBJECTS,
};
