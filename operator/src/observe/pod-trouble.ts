import { EndedBy } from '@sightline/contracts/cluster/fetch-end';
import { isFailureReason, type FailureReason, type Trouble } from '../plan/failures.ts';
import { fromTime } from '../plan/time.ts';
import type { ContainerStatus, Pod, Terminated, Volume } from './kube-kinds.ts';

/** A pod whose volumes are not there after so long lacks a Secret, a ConfigMap or a claim, in ms. */
const VOLUMES_MS = 60_000;

/** The kubelet's words for an image that it cannot get. */
const IMAGE_REASONS = [
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'ImageInspectError',
  'RegistryUnavailable',
];

/** What keeps a pod from running, in the words of the scheduler, the kubelet or the program; null: nothing. */
export function podTrouble(pod: Pod, now: number): Trouble | null {
  const { name } = pod.metadata;
  const found =
    schedulingTrouble(pod) ??
    // What its program says then is that it was stopped.
    evictionTrouble(pod) ??
    containerTrouble(pod) ??
    volumeTrouble(pod, now);
  return found === null ? null : { ...found, pod: name };
}

/** Whether a pod is over: its object is kept, and another pod takes its place. */
export function isOver({ status }: Pod): boolean {
  return status?.phase === 'Failed' || status?.phase === 'Succeeded';
}

/** Why a program ended: what it says itself, if it says it as JSON; else what the kubelet says. */
export function endTrouble({ exitCode, reason, message = '' }: Terminated): Trouble {
  const said = saidByProgram(message);
  if (said !== null) return said;
  if (reason === 'OOMKilled') {
    return { reason: 'OutOfMemory', message: 'It needed more memory than its limit.' };
  }
  return { reason: 'LoadFailed', message: lastWords(message) ?? `It ended with ${exitCode}.` };
}

/** Frames and members of errors are indented; how Node shows where an error was thrown, and ends. */
const NOT_SAID = /^\s|^$|^[{}]|\}$|^Node\.js v|^(file|node):\S+$/;

/**
 * What a program said at its end, of the end of its log: the kubelet keeps 2 KiB, of which the first line may be the rest
 * of one. Null: nothing.
 */
function lastWords(log: string): string | null {
  const lines = log.trimEnd().split('\n');
  return lines.map((line) => saidIn(line)).findLast((said) => said !== null) ?? null;
}

function saidIn(line: string): string | null {
  const logged = parseObject(line);
  if (logged === null) return NOT_SAID.test(line) || line.includes('file:///') ? null : line.trim();
  const { level, err, msg } = logged as Logged;
  if (level !== 'error' && level !== 'fatal') return null;
  return [err?.message, msg].find((text) => typeof text === 'string') ?? null;
}

/** A line of a log of this product, as far as it is read. */
interface Logged {
  readonly level?: unknown;
  readonly err?: { readonly message?: unknown } | null;
  readonly msg?: unknown;
}

/** A trouble as programs of this product write it into their termination message; null: it is none. */
function saidByProgram(text: string): Trouble | null {
  const { data } = EndedBy.safeParse(parseObject(text));
  return data === undefined ? null : toTrouble(data);
}

/** Null: it is for a reason that this operator does not know. */
export function toTrouble({ reason, message }: EndedBy): Trouble | null {
  return isFailureReason(reason) ? { reason, message } : null;
}

/** @returns null if a text is no JSON object */
export function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    return value as Record<string, unknown>;
  } catch {
    return null;
  }
}

function schedulingTrouble({ status }: Pod): Trouble | null {
  const scheduled = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status !== 'False') return null;
  return { reason: 'Unschedulable', message: scheduled.message ?? 'No node takes the pod.' };
}

function containerTrouble({ status }: Pod): Trouble | null {
  for (const container of status?.containerStatuses ?? []) {
    const trouble = waitingTrouble(container);
    if (trouble !== null) return trouble;
  }
  return null;
}

function waitingTrouble(container: ContainerStatus): Trouble | null {
  const { reason = '', message = reason } = container.state?.waiting ?? {};
  const known = reasonOfWaiting(reason);
  if (known !== null) return { reason: known, message };
  const ended = endOf(container, reason);
  return ended === undefined || ended.exitCode === 0 ? null : endTrouble(ended);
}

/** How it ended last, if it waits to be started again or is not started again. */
function endOf({ state, lastState }: ContainerStatus, waitsFor: string): Terminated | undefined {
  return waitsFor === 'CrashLoopBackOff' ? lastState?.terminated : state?.terminated;
}

function reasonOfWaiting(reason: string): FailureReason | null {
  if (IMAGE_REASONS.includes(reason)) return 'ImageUnavailable';
  return reason === 'CreateContainerConfigError' ? 'SecretMissing' : null;
}

function evictionTrouble({ status }: Pod): Trouble | null {
  if (status?.reason !== 'Evicted') return null;
  const message = status.message ?? 'The node has evicted the pod.';
  return { reason: message.includes('resource: memory') ? 'OutOfMemory' : 'NoSpace', message };
}

/** The kubelet tells of volumes that it cannot mount by events alone, which the operator may not read. */
function volumeTrouble({ spec, status }: Pod, now: number): Trouble | null {
  const prepared = status?.conditions?.find(({ type }) => type === 'PodReadyToStartContainers');
  if (prepared?.status !== 'False') return null;
  const since = fromTime(prepared.lastTransitionTime) ?? now;
  if (now < since + VOLUMES_MS) return null;
  const names = (spec?.volumes ?? []).flatMap((volume) => mountedName(volume) ?? []);
  const message = `The pod waits for its volumes: are these there, with the keys that it needs: ${names.join(', ')}? \`kubectl describe pod\` says which is missing.`;
  return { reason: 'SecretMissing', message };
}

function mountedName({ secret, configMap, persistentVolumeClaim: claim }: Volume): string | null {
  if (secret !== undefined) return `Secret ${secret.secretName}`;
  if (configMap !== undefined) return `ConfigMap ${configMap.name}`;
  return claim === undefined ? null : `claim ${claim.claimName}`;
}
