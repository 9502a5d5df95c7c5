import { z } from 'zod';

/** The active model's estimates about a face; an attribute that the model does not estimate is null. */
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
