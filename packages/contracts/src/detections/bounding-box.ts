import { z } from 'zod';

export const BoundingBox = z
  .object({
    x: z.number().describe('X coordinate of the left edge.'),
    y: z.number().describe('Y coordinate of the upper edge.'),
    w: z.number().describe('Width.'),
    h: z.number().describe('Height.'),
  })
  .meta({ id: 'BoundingBox', description: 'A box in pixels of the upright original image.' });
