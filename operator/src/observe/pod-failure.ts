import { EndedBy } from '@sightline/contracts/cluster/fetch-end';
import { isFailureReason, type FailureReason, type Failure } from '../plan/failures.ts';
import { fromTime } from '../plan/time.ts';
import type { ContainerStatus, Pod, Terminated, Volume } from './kube-kinds.ts';

/**
 * How long the mounting of volumes may take, in ms. After this time, a Secret, a ConfigMap or a claim is probably missing.
 */
const VOLUMES_MS = 60_000;

/** The kubelet's reasons for an image that it cannot pull. */
const IMAGE_REASONS = [
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'ImageInspectError',
  'RegistryUnavailable',
];

/**
 * The failure that keeps a pod from running, as the scheduler, the kubelet or the program reports it.
 *
 * @returns null if there is none
 */
export function podFailure(pod: Pod, now: number): Failure | null {
  const { name } = pod.metadata;
  const found =
    schedulingFailure(pod) ??
    // The eviction is checked before the containers, because an evicted program only reports that it was stopped.
    evictionFailure(pod) ??
    containerFailure(pod) ??
    volumeFailure(pod, now);
  return found === null ? null : { ...found, pod: name };
}

/** Whether a pod has ended. Its object remains for a while, although another pod replaces it. */
export function isOver({ status }: Pod): boolean {
  return status?.phase === 'Failed' || status?.phase === 'Succeeded';
}

/** The failure of a program that ended: from the program's own message if that is JSON, else the kubelet's reason. */
export function exitFailure({ exitCode, reason, message = '' }: Terminated): Failure {
  const reported = programFailure(message);
  if (reported !== null) return reported;
  if (reason === 'OOMKilled') {
    return { reason: 'OutOfMemory', message: 'The container needed more memory than its limit.' };
  }
  return { reason: 'LoadFailed', message: lastError(message) ?? `It ended with ${exitCode}.` };
}

/**
 * Matches the lines around the message in Node's output for an error: stack frames, fields, the location of the error, and
 * Node's version.
 */
const NOT_MESSAGE = /^\s|^$|^[{}]|\}$|^Node\.js v|^(file|node):\S+$/;

/**
 * The last error in the end of a program's log. The first line may be truncated, because the kubelet keeps only 2 KiB.
 *
 * @returns null if there is no error
 */
function lastError(log: string): string | null {
  const lines = log.trimEnd().split('\n');
  return lines.map((line) => errorIn(line)).findLast((error) => error !== null) ?? null;
}

function errorIn(line: string): string | null {
  const logged = parseObject(line);
  if (logged === null)
    return NOT_MESSAGE.test(line) || line.includes('file:///') ? null : line.trim();
  const { level, err, msg } = logged as Logged;
  if (level !== 'error' && level !== 'fatal') return null;
  return [err?.message, msg].find((text) => typeof text === 'string') ?? null;
}

/** The fields that the operator reads in a log line of this product. */
interface Logged {
  readonly level?: unknown;
  readonly err?: { readonly message?: unknown } | null;
  readonly msg?: unknown;
}

/** The failure in the termination message of a program of this product; null if the text has another form. */
function programFailure(text: string): Failure | null {
  const { data } = EndedBy.safeParse(parseObject(text));
  return data === undefined ? null : toFailure(data);
}

/** The failure that a program reports; null if this operator does not know the reason. */
export function toFailure({ reason, message }: EndedBy): Failure | null {
  return isFailureReason(reason) ? { reason, message } : null;
}

/** @returns null if the text is not a JSON object */
export function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    return value as Record<string, unknown>;
  } catch {
    return null;
  }
}

function schedulingFailure({ status }: Pod): Failure | null {
  const scheduled = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status !== 'False') return null;
  return { reason: 'Unschedulable', message: scheduled.message ?? 'No node takes the pod.' };
}

function containerFailure({ status }: Pod): Failure | null {
  for (const container of status?.containerStatuses ?? []) {
    const failure = waitingFailure(container);
    if (failure !== null) return failure;
  }
  return null;
}

function waitingFailure(container: ContainerStatus): Failure | null {
  const { reason = '', message = reason } = container.state?.waiting ?? {};
  const known = reasonOfWaiting(reason);
  if (known !== null) return { reason: known, message };
  const ended = endOf(container, reason);
  return ended === undefined || ended.exitCode === 0 ? null : exitFailure(ended);
}

/** The last termination of a container that waits for a restart or is never restarted. */
function endOf({ state, lastState }: ContainerStatus, waitsFor: string): Terminated | undefined {
  return waitsFor === 'CrashLoopBackOff' ? lastState?.terminated : state?.terminated;
}

function reasonOfWaiting(reason: string): FailureReason | null {
  if (IMAGE_REASONS.includes(reason)) return 'ImageUnavailable';
  return reason === 'CreateContainerConfigError' ? 'SecretMissing' : null;
}

function evictionFailure({ status }: Pod): Failure | null {
  if (status?.reason !== 'Evicted') return null;
  const message = status.message ?? 'The node has evicted the pod.';
  return { reason: message.includes('resource: memory') ? 'OutOfMemory' : 'NoSpace', message };
}

/** Guesses from the time whether a volume is missing: the kubelet reports that only by Events, which are not readable here. */
function volumeFailure({ spec, status }: Pod, now: number): Failure | null {
  const prepared = status?.conditions?.find(({ type }) => type === 'PodReadyToStartContainers');
  if (prepared?.status !== 'False') return null;
  const since = fromTime(prepared.lastTransitionTime) ?? now;
  if (now < since + VOLUMES_MS) return null;
  const names = (spec?.volumes ?? []).flatMap((volume) => mountedName(volume) ?? []);
  const message = `The pod waits for its volumes. Check that these exist and have all keys: ${names.join(', ')}. \`kubectl describe pod\` names the missing one.`;
  return { reason: 'SecretMissing', message };
}

function mountedName({ secret, configMap, persistentVolumeClaim: claim }: Volume): string | null {
  if (secret !== undefined) return `Secret ${secret.secretName}`;
  if (configMap !== undefined) return `ConfigMap ${configMap.name}`;
  return claim === undefined ? null : `claim ${claim.claimName}`;
}
