import { collectEarly } from '@sightline/platform/process/collect-early';
import { enableCodeCache } from '@sightline/platform/process/enable-code-cache';
import manifest from '../../package.json' with { type: 'json' };

collectEarly();
enableCodeCache();
const { runProcess } = await import('@sightline/platform/process/run-process');
const { openProjectorProcess, PROJECTOR_VARIABLES } = await import('./open-projector-process.ts');
const { asStartError } = await import('@sightline/composition/as-start-error');

await runProcess({
  about: 'a projector, which writes the change feeds',
  version: manifest.version,
  variables: PROJECTOR_VARIABLES,
  readiness: 'projector',
  open: openProjectorProcess,
  explain: asStartError,
});
