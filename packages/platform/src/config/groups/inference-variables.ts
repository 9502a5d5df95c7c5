import { z } from 'zod';
import { isOrigin, variable } from '../variable.ts';

export const INFERENCE_VARIABLES = {
  inferenceUrl: variable({
    name: 'SIGHTLINE_INFERENCE_URL',
    description:
      'Address of an inference process, for example http://inference:8080, or several with commas between them; unset: models run in this process',
    default: null,
    schema: z
      .string()
      .transform((text) => text.split(',').map((address) => address.trim()))
      .refine(
        (addresses) => addresses.every(isOrigin),
        'has to be http:// or https:// and a host, or several such with commas between them',
      )
      .nullable(),
  }),
};
