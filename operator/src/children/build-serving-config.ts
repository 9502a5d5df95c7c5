import type { DesiredModels } from '@sightline/contracts/cluster/desired-models';
import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import { nameOf } from '../plan/hosts.ts';
import { type Intent, toIntent } from './intent.ts';
import { CONFIG_MAPS } from './kinds.ts';
import { childName, inferenceLabels } from '../plan/labels.ts';

/** The key in the ConfigMap, which is also the name of the mounted file. */
export const SERVING_FILE = 'serving.json';

/** The ConfigMap with the models of a host's pods. Pods read the file at their start and after each change. */
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
