import { z } from 'zod';

export const BoundingBox = z
  .object({
    x: z.number().describe('Left edge.'),
    y: z.number().describe('Upper edge.'),
    w: z.number().describe('Width.'),
    h: z.number().describe('Height.'),
  })
  .meta({ id: 'BoundingBox', description: 'A box in pixels of the upright original image.' });
