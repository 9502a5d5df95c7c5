import { enableCodeCache } from '@sightline/platform/process/enable-code-cache';
import manifest from './package.json' with { type: 'json' };

enableCodeCache();
const { runProcess } = await import('@sightline/platform/process/run-process');
const { openOperatorProcess } = await import('./src/open-operator-process.ts');

await runProcess({
  about: 'the operator, which runs InferenceModels on Kubernetes',
  version: manifest.version,
  variables: ['operator'],
  readiness: 'operator',
  open: openOperatorProcess,
});
