import { asStartError } from '@sightline/composition/as-start-error';
import { runProcess } from '@sightline/platform/process/run-process';
import manifest from '../package.json' with { type: 'json' };
import { openApi } from './open-api.ts';

await runProcess({
  about: 'an API process',
  version: manifest.version,
  readiness: 'api',
  open: openApi,
  explain: asStartError,
});
