import { z } from 'zod';
import { isOrigin, optionalText, variable } from '../variable.ts';

export const INFERENCE_VARIABLES = {
  inferenceUrl: variable({
    name: 'SIGHTLINE_INFERENCE_URL',
    description:
      'Address of an inference process, for example http://inference:8080, or several, separated by commas; dns+http://inference:8080 means every address to which the name resolves, looked up every 2 seconds; unset: models run in this process',
    default: null,
    schema: z
      .string()
      .transform((text) => text.split(',').map((address) => address.trim()))
      .refine(
        (addresses) =>
          addresses.every(isOrigin) || (addresses.length === 1 && isName(addresses[0]!)),
        'has to be http:// or https:// and a host, or several such addresses separated by commas, or dns+http:// and a name',
      )
      .nullable(),
  }),
  routes: variable({
    name: 'SIGHTLINE_ROUTES',
    description:
      "Source of the active models: database: activations through the API; kubernetes: the InferenceRoutes of this pod's namespace, which activations through the API change; declared: the same InferenceRoutes, but the API refuses activations",
    default: 'database',
    schema: z.enum(['database', 'kubernetes', 'declared']),
  }),
};

/** The prefix of a URL whose host name means all addresses to which the name resolves. */
export const DNS_PREFIX = 'dns+';

function isName(text: string): boolean {
  return text.startsWith(`${DNS_PREFIX}http://`) && isOrigin(text.slice(DNS_PREFIX.length));
}

/** The variables of inference processes and their callers. */
export const INFERENCE_KEY_VARIABLES = {
  inferenceKey: variable({
    name: 'SIGHTLINE_INFERENCE_KEY',
    description:
      'Secret that inference processes share with their callers, at least 16 characters; required unless all processes run on one machine',
    default: null,
    secret: true,
    schema: optionalText(),
  }),
  inferenceKeyFile: variable({
    name: 'SIGHTLINE_INFERENCE_KEY_FILE',
    description:
      'File that contains the secret of inference processes; read again while the process runs, and may have a second line with a value that is still valid',
    default: null,
    schema: optionalText(),
  }),
};
