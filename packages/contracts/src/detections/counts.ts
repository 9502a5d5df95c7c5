import { z } from 'zod';

/** The numbers of faces and objects of an image. */
export const Counts = z
  .object({ faces: z.int().min(0), objects: z.int().min(0) })
  .meta({ id: 'Counts' });
