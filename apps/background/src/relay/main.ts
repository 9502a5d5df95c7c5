import { enableCodeCache } from '@sightline/platform/process/enable-code-cache';
import manifest from '../../package.json' with { type: 'json' };

enableCodeCache();
const { runProcess } = await import('@sightline/platform/process/run-process');
const { openRelayProcess, RELAY_VARIABLES } = await import('./open-relay-process.ts');
const { asStartError } = await import('@sightline/composition/as-start-error');

await runProcess({
  about: 'a relay, which publishes events over Kafka',
  version: manifest.version,
  variables: RELAY_VARIABLES,
  readiness: 'relay',
  open: openRelayProcess,
  explain: asStartError,
});
