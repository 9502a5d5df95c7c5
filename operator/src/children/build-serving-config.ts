import type { DesiredModels } from '@sightline/contracts/cluster/desired-models';
import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import { nameOf } from '../plan/hosts.ts';
import { type Intent, toIntent } from './intent.ts';
import { CONFIG_MAPS } from './kinds.ts';
import { childName, inferenceLabels } from '../plan/labels.ts';

/** The key of the ConfigMap, and so the name of the file in pods. */
export const SERVING_FILE = 'serving.json';

/** The models that the pods of a host load; they read the file when they start and when it changes. */
export function buildServingConfig(host: InferenceModel, serving: DesiredModels): Intent {
  const name = nameOf(host);
  const data = { [SERVING_FILE]: `${JSON.stringify(serving, null, 2)}\n` };
  const labels = inferenceLabels(name);
  return toIntent({
    resource: CONFIG_MAPS,
    model: host,
    name: childName(name),
    labels,
    body: { data },
  });
}
