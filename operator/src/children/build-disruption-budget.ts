import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import { nameOf } from '../plan/hosts.ts';
import { type Intent, toIntent } from './intent.ts';
import { DISRUPTION_BUDGETS } from './kinds.ts';
import { childName, inferenceLabels, podSelector } from '../plan/labels.ts';

/** A drained node evicts one pod at a time. Pods that are not ready may always be evicted. */
export function buildDisruptionBudget(host: InferenceModel): Intent {
  const name = nameOf(host);
  const spec = {
    maxUnavailable: 1,
    unhealthyPodEvictionPolicy: 'AlwaysAllow',
    selector: { matchLabels: podSelector(name, 'inference') },
  };
  const [labels, body] = [inferenceLabels(name), { spec }];
  return toIntent({
    resource: DISRUPTION_BUDGETS,
    model: host,
    name: childName(name),
    labels,
    body,
  });
}
