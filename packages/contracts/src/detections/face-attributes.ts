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
  turned: z
    .literal([0, 90, 180, 270])
    .describe(
      'Angle in degrees, clockwise, by which the face is turned in the image: a quarter turn of the whole photo, or the nearest quarter turn of a single face. At 90 the top of the head points to the right. 0 for objects.',
    ),
};

export const confidence = z.number().min(0).max(1).describe('Score of the detector.');
