import { z } from 'zod';
import { userCacheFolder } from '../user-cache-folder.ts';
import { oneOf, optionalText, variable, wholeNumber } from '../variable.ts';

export const MODELS_VARIABLES = {
  modelsDir: variable({
    name: 'SIGHTLINE_MODELS_DIR',
    description: 'Models folder; each folder in the models folder is one model pack',
    default: null,
    defaultShown: './models, if it exists',
    schema: optionalText(),
  }),
  starter: variable({
    name: 'SIGHTLINE_STARTER',
    description:
      'auto: tasks without a pack in the models folder use the starter models; off: such tasks are not served',
    default: 'auto',
    schema: oneOf(['auto', 'off']),
  }),
  cache: variable({
    name: 'SIGHTLINE_CACHE',
    description:
      'Cache folder for starter models and for models from the model store; the service downloads deleted files again',
    default: userCacheFolder,
    defaultShown:
      '$XDG_CACHE_HOME/sightline, else ~/.cache/sightline (macOS: ~/Library/Caches/sightline)',
    schema: z.string(),
  }),
  faceModel: variable({
    name: 'SIGHTLINE_FACE_MODEL',
    description:
      'Name of the model pack for faces; required if the models folder has several; starter-faces selects the starter model',
    default: null,
    schema: optionalText(),
  }),
  objectModel: variable({
    name: 'SIGHTLINE_OBJECT_MODEL',
    description:
      'Name of the model pack for objects; required if the models folder has several; starter-objects selects the starter model',
    default: null,
    schema: optionalText(),
  }),
  provider: variable({
    name: 'SIGHTLINE_PROVIDER',
    description: 'Device that runs the models: cpu, cuda, or auto (cuda if it works, else cpu)',
    default: 'auto',
    schema: oneOf(['auto', 'cpu', 'cuda']),
  }),
  workers: variable({
    name: 'SIGHTLINE_WORKERS',
    description:
      'The most inference threads; each has its own copy of the models in memory, and fewer start if all copies would need more than half of the memory limit',
    default: null,
    defaultShown: 'one per CPU core; one on a GPU',
    schema: wholeNumber(1, 256).or(z.null()),
  }),
  queueLimit: variable({
    name: 'SIGHTLINE_QUEUE_LIMIT',
    description:
      'Maximum number of images that wait for an inference thread; one environment may have half of the waiting images and one key a third; further images are refused with 429. Images of jobs do not count',
    default: '64',
    // The minimum is 1, so that the second image of a comparison can wait while the first is processed.
    schema: wholeNumber(1, 10_000),
  }),
};
