import { z } from 'zod';
import { isOrigin, optionalText, variable } from '../variable.ts';

export const INFERENCE_VARIABLES = {
  inferenceUrl: variable({
    name: 'SIGHTLINE_INFERENCE_URL',
    description:
      'Address of an inference process, for example http://inference:8080, or several with commas between them; dns+http://inference:8080 means every address behind that name, which is looked up every 2 seconds; unset: models run in this process',
    default: null,
    schema: z
      .string()
      .transform((text) => text.split(',').map((address) => address.trim()))
      .refine(
        (addresses) =>
          addresses.every(isOrigin) || (addresses.length === 1 && isName(addresses[0]!)),
        'has to be http:// or https:// and a host, or several such with commas between them, or dns+http:// and a name',
      )
      .nullable(),
  }),
  routes: variable({
    name: 'SIGHTLINE_ROUTES',
    description:
      'Who decides which model answers: database: activations over the API; kubernetes: InferenceRoutes of the namespace of this pod, which activations over the API change; declared: InferenceRoutes alone, and the API refuses activations',
    default: 'database',
    schema: z.enum(['database', 'kubernetes', 'declared']),
  }),
};

/** Before the address of a name that stands for all addresses behind it. */
export const DNS_PREFIX = 'dns+';

function isName(text: string): boolean {
  return text.startsWith(`${DNS_PREFIX}http://`) && isOrigin(text.slice(DNS_PREFIX.length));
}

/** What inference processes and those that call them read. */
export const INFERENCE_KEY_VARIABLES = {
  inferenceKey: variable({
    name: 'SIGHTLINE_INFERENCE_KEY',
    description:
      'Secret that inference processes and those that call them share, at least 16 characters; required unless all of them are on one machine',
    default: null,
    secret: true,
    schema: optionalText(),
  }),
  inferenceKeyFile: variable({
    name: 'SIGHTLINE_INFERENCE_KEY_FILE',
    description: 'File that contains that secret',
    default: null,
    schema: optionalText(),
  }),
};
