import { asStartError } from '@sightline/composition/as-start-error';
import { runProcess } from '@sightline/platform/process/run-process';
import manifest from '../package.json' with { type: 'json' };
import { API_VARIABLES, openApiProcess } from './open-api-process.ts';

await runProcess({
  about: 'an API process',
  version: manifest.version,
  variables: API_VARIABLES,
  readiness: 'api',
  open: openApiProcess,
  explain: asStartError,
});
