import { collectEarly } from '@sightline/platform/process/collect-early';
import { enableCodeCache } from '@sightline/platform/process/enable-code-cache';
import manifest from '../../package.json' with { type: 'json' };

collectEarly();
enableCodeCache();
const { runProcess } = await import('@sightline/platform/process/run-process');
const { openDispatcherProcess, DISPATCHER_VARIABLES } =
  await import('./open-dispatcher-process.ts');
const { asStartError } = await import('@sightline/composition/as-start-error');

await runProcess({
  about: 'a dispatcher, which sends events to webhooks',
  version: manifest.version,
  variables: DISPATCHER_VARIABLES,
  readiness: 'dispatcher',
  open: openDispatcherProcess,
  explain: asStartError,
});
