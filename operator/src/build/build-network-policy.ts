import type { InferenceModel } from '@sightline/kube/resources/inference-model';
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

/** From any namespace: one operator serves many. */
const OPERATOR = { namespaceSelector: {}, podSelector: { matchLabels: OPERATOR_LABELS } };
const DNS = {
  ports: [
    { port: 53, protocol: 'UDP' },
    { port: 53, protocol: 'TCP' },
  ],
};
/** Without link-local addresses: where clouds answer with credentials. */
const WORLD = {
  to: [
    { ipBlock: { cidr: '0.0.0.0/0', except: ['169.254.0.0/16'] } },
    { ipBlock: { cidr: '::/0', except: ['fe80::/10'] } },
  ],
};

/** Pods that decode hostile files are asked by few, and reach DNS and the S3 alone, if it is known where that is. */
export function buildNetworkPolicy(
  host: InferenceModel,
  { s3, policies }: { readonly s3: Installation['s3']; readonly policies: Policies },
): Intent {
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
    egress: [
      DNS,
      {
        ports: [{ port: portOf(s3.endpoint), protocol: 'TCP' }],
        ...(policies.s3.length > 0 && { to: policies.s3 }),
      },
    ],
  };
  const [labels, body] = [inferenceLabels(name), { spec }];
  return toIntent({ resource: NETWORK_POLICIES, model: host, name: childName(name), labels, body });
}

/** A fetch reaches the world, and is asked by the operator alone. */
export function buildFetchNetworkPolicy(model: InferenceModel): Intent {
  const name = nameOf(model);
  const spec = {
    podSelector: { matchLabels: podSelector(name, 'fetch') },
    policyTypes: ['Ingress', 'Egress'],
    ingress: [{ from: [OPERATOR], ports: [{ port: 'ops', protocol: 'TCP' }] }],
    egress: [DNS, WORLD],
  };
  const [labels, body] = [fetchLabels(name), { spec }];
  return toIntent({ resource: NETWORK_POLICIES, model, name: fetchName(name), labels, body });
}

function portOf(endpoint: string): number {
  const { port, protocol } = new URL(endpoint);
  if (port !== '') return Number(port);
  return protocol === 'http:' ? 80 : 443;
}
