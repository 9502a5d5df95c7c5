import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import { nameOf } from '../plan/hosts.ts';
import type { Installation } from './installation.ts';
import { type Intent, toIntent } from './intent.ts';
import { NETWORK_POLICIES } from './kinds.ts';
import {
  childName,
  fetchLabels,
  fetchName,
  inferenceLabels,
  OPERATOR_LABELS,
  podSelector,
} from '../plan/labels.ts';

type Policies = NonNullable<Installation['networkPolicies']>;

/**
 * Selects the pods of operators in any namespace, because an operator may run in another namespace than its models.
 */
const OPERATOR = { namespaceSelector: {}, podSelector: { matchLabels: OPERATOR_LABELS } };

/**
 * The network policy of inference pods, which decode hostile files. Only the installation's callers reach the port
 * for requests, only operators and metrics scrapers reach the operations port, and the pods reach only the
 * installation's egress peers.
 */
export function buildNetworkPolicy(host: InferenceModel, policies: Policies): Intent {
  const name = nameOf(host);
  const spec = {
    podSelector: { matchLabels: podSelector(name, 'inference') },
    policyTypes: ['Ingress', 'Egress'],
    ingress: [
      ...(policies.callers.length > 0
        ? [{ from: policies.callers, ports: [{ port: 'http', protocol: 'TCP' }] }]
        : []),
      { from: [OPERATOR, ...policies.metricsFrom], ports: [{ port: 'ops', protocol: 'TCP' }] },
    ],
    egress: policies.inferenceEgress,
  };
  const [labels, body] = [inferenceLabels(name), { spec }];
  return toIntent({ resource: NETWORK_POLICIES, model: host, name: childName(name), labels, body });
}

/** The network policy of a fetch. Only the operator may call it, and it reaches only the installation's egress peers. */
export function buildFetchNetworkPolicy(model: InferenceModel, policies: Policies): Intent {
  const name = nameOf(model);
  const spec = {
    podSelector: { matchLabels: podSelector(name, 'fetch') },
    policyTypes: ['Ingress', 'Egress'],
    ingress: [{ from: [OPERATOR], ports: [{ port: 'ops', protocol: 'TCP' }] }],
    egress: policies.fetchEgress,
  };
  const [labels, body] = [fetchLabels(name), { spec }];
  return toIntent({ resource: NETWORK_POLICIES, model, name: fetchName(name), labels, body });
}
