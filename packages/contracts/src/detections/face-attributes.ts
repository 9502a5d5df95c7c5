import { z } from 'zod';

export const faceAttributes = {
  age: z
    .int()
    .nullable()
    .describe('Estimated age in years; null if the model does not estimate ages.'),
  gender: z
    .enum(['M', 'F'])
    .nullable()
    .describe('Estimated gender; null if the model does not estimate genders.'),
  pose: z
    .tuple([z.number(), z.number(), z.number()])
    .nullable()
    .describe('Pitch, yaw and roll in degrees; null if the model does not estimate poses.'),
};

export const confidence = z.number().min(0).max(1).describe('Score of the detector.');
