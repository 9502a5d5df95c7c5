import { countBuffers } from '@sightline/platform/process/count-buffers';
import { enableCodeCache } from '@sightline/platform/process/enable-code-cache';
import manifest from '../package.json' with { type: 'json' };

countBuffers();
enableCodeCache();
const { runProcess } = await import('@sightline/platform/process/run-process');
const { API_VARIABLES, openApiProcess } = await import('./open-api-process.ts');
const { asStartError } = await import('@sightline/composition/as-start-error');

await runProcess({
  about: 'an API process',
  version: manifest.version,
  variables: API_VARIABLES,
  readiness: 'api',
  open: openApiProcess,
  explain: asStartError,
});
