import { grouped, mebibytes } from '../cells.ts';
import { markdownTable as table } from '../markdown-table.ts';
import type { ReportHead } from '../machine.ts';
import type { ApiPodFigures } from './measure-api-pods.ts';
import type { OperatorFigures } from './measure-operator.ts';
import type { SwitchFigures } from './measure-switches.ts';

export function operatorSection(figures: OperatorFigures, head: ReportHead): string {
  const { models, namespaces, firstPassSeconds, memory, noop, requestsPerMinute } = figures;
  return `## The operator

${madeBy(head)}

Two replicas as processes on an API server of their own, which share the cores with it. There are ${models} InferenceModels in
${namespaces} namespaces, and nobody makes pods; their fetches are ended as the controllers of a cluster do it. Node has the flags that the chart gives it in a pod of 384 MiB.

${table(
  ['measure', 'here', 'aim'],
  [
    [
      'first pass, until each has a status and its Job, s',
      firstPassSeconds.toFixed(1),
      'at most 60',
    ],
    ['memory of the replica that leads, MiB', mebibytes(memory), 'at most 200'],
    [
      `reconciling that changes nothing, p95 of ${noop.count}, ms`,
      noop.p95Ms.toFixed(1),
      'at most 20',
    ],
    [
      'requests to the API server at rest, of both replicas, a minute',
      requestsPerMinute.toFixed(0),
      'at most 40',
    ],
  ],
)}
`;
}

export function switchesSection(figures: SwitchFigures, head: ReportHead): string {
  const { count, requests, failures, p99, fromStore, twoHosts, memory } = figures;
  const [few, many] = memory.bytes;
  return `## Switches on Kubernetes

${madeBy(head)}

The quickstart on one node, with two API pods and two inference pods, all on the same cores as the clients and the control plane. Models are toy
packs that take no time, so what is measured is all the rest. While one client identifies a face and another detects one in a
new image, each as soon as it has its answer, two face models of different embeddings follow each other ${count} times, with 5 s between them.
Every answer has to know the enrolled person, whom a vector of another model would not. A request counts as one during a switch
if the two overlapped; the usual are 30 s before the first switch, and the time between two. Loading is what the pods take to fetch a model and to warm it up, from the request until the route has it available. Installing includes putting the packs into the store, and a second \`helm upgrade\` that names them.
Memory is looked at once it grows no more by the load alone: a fresh process grows for thousands of requests, without a switch as with them.

${table(
  ['measure', 'here', 'aim'],
  [
    [`failed of ${grouped(requests)} requests`, String(failures.length), '0'],
    [
      'p99, usual / during a switch, ms',
      `${p99.usual.toFixed(0)} / ${p99.during.toFixed(0)} (${(p99.during / p99.usual).toFixed(2)})`,
      'at most 2.5 times',
    ],
    ['a switch in place, both warm, s', figures.warmSeconds.toFixed(1), 'at most 5'],
    ['a switch in place, from the store, s', timesOf(fromStore), 'loading + 5'],
    ['a switch between two hosts, s', timesOf(twoHosts), 'loading + 45'],
    [
      `memory of an inference pod after ${memory.switches.join(' / ')} switches, MiB`,
      `${mebibytes(few)} / ${mebibytes(many)} (${(many / few).toFixed(2)})`,
      'at most 1.05 times',
    ],
    [
      'from `helm install`, images present, to the first answered photo, s',
      figures.installSeconds.toFixed(0),
      'at most 180',
    ],
  ],
)}
`;
}

export function apiPodsSection(figures: ApiPodFigures, head: ReportHead): string {
  const { models, pods, following, alone } = figures;
  return `## API pods that follow the cluster

${madeBy(head)}

The quickstart on one node with ${models} InferenceModels in its namespace, which no operator has given a status. Two copies of the API's Deployment
with ${pods} pods each, one after the other, differ in \`SIGHTLINE_ROUTES\` alone. Each pod answers lists of models and photos before its memory is
read. As the vectors of this quickstart are in the pod's memory, its process also works in the background.

${table(
  ['measure', 'here', 'aim'],
  [
    [
      'memory of the median pod with `kubernetes` / with `database`, MiB',
      `${mebibytes(following)} / ${mebibytes(alone)}`,
      'at most 15 more',
    ],
  ],
)}
`;
}

function madeBy({ command, machine }: ReportHead): string {
  const facts = [...machine].map(([name, value]) => `${name}: ${value}`);
  return `Made by \`${command}\` (${facts.join('; ')}).`;
}

function timesOf({ seconds, loading }: SwitchFigures['fromStore']): string {
  return `${seconds.toFixed(1)}, of which loading ${loading.toFixed(1)}`;
}
