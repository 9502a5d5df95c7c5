import { enableCodeCache } from '@sightline/platform/process/enable-code-cache';
import manifest from '../package.json' with { type: 'json' };

enableCodeCache();
const { runProcess } = await import('@sightline/platform/process/run-process');
const { openApiProcess } = await import('./open-api-process.ts');
const { asStartError } = await import('@sightline/composition/as-start-error');

await runProcess({
  about: 'an API process',
  version: manifest.version,
  readiness: 'api',
  open: openApiProcess,
  explain: asStartError,
});
