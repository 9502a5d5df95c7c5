import { z } from 'zod';

/** What the active model estimates about a face; null for what it does not estimate. */
export const faceAttributes = {
  age: z.int().nullable().describe('Years; null if the model does not estimate it.'),
  gender: z.enum(['M', 'F']).nullable().describe('Null if the model does not estimate it.'),
  pose: z
    .tuple([z.number(), z.number(), z.number()])
    .nullable()
    .describe('Pitch, yaw and roll in degrees; null if the model does not estimate it.'),
};

/** The detector's score of a face or an object. */
export const confidence = z.number().min(0).max(1).describe("The detector's score.");
