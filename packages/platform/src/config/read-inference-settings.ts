import { StartError } from '../lifecycle/start-error.ts';
import { DNS_PREFIX } from './groups/inference-variables.ts';
import { isLoopbackHost } from './is-loopback-host.ts';
import { readSecret } from './read-secret.ts';
import { type Config, VARIABLES } from './variable-groups.ts';

/** Inference processes. */
export interface InferenceSettings {
  /** At least one. */
  readonly urls: readonly URL[];
  /** Whether the only URL has a host name that stands for all addresses that it resolves to. */
  readonly isName: boolean;
  /** The secret that they share with their callers; null if all of them run on this machine. */
  readonly key: string | null;
  /** The source of the active models. */
  readonly routes: 'database' | 'kubernetes' | 'declared';
}

/** Visible ASCII, the only characters that a header can carry. */
const KEY = /^[\x21-\x7e]{16,}$/;
const NAMES = [VARIABLES.inferenceKey.name, VARIABLES.inferenceKeyFile.name] as const;

/**
 * The inference processes of the configuration; null: models run in this process.
 *
 * @throws StartError if their key cannot be read, or is missing though one is on another machine
 */
export function readInferenceSettings(
  config: Config<'inference' | 'inferenceKey'>,
): InferenceSettings | null {
  const { routes } = config;
  if (config.inferenceUrl === null) {
    if (routes === 'database') return null;
    throw new StartError(
      `${VARIABLES.routes.name} is ${routes}, so models run in pods: set ${VARIABLES.inferenceUrl.name} to the name of their Service.`,
    );
  }
  const isName = config.inferenceUrl.some((address) => address.startsWith(DNS_PREFIX));
  const urls = config.inferenceUrl.map(
    (address) => new URL(isName ? address.slice(DNS_PREFIX.length) : address),
  );
  const key = readInferenceKey(config);
  const beyond = urls.find(({ hostname }) => !isLoopbackHost(hostname));
  if (key === null && beyond !== undefined) {
    throw new StartError(
      `${VARIABLES.inferenceUrl.name} names ${beyond.hostname}, another machine: set ${NAMES.join(' or ')} to the secret of the inference processes.`,
    );
  }
  return { urls, isName, key, routes };
}

/**
 * The key that callers of an inference process must send; null if they need none.
 *
 * @throws StartError if it cannot be read, or is missing though other machines reach the process
 */
export function readOwnInferenceKey(config: Config<'process' | 'inferenceKey'>): string | null {
  const key = readInferenceKey(config);
  if (key !== null || isLoopbackHost(config.host)) return key;
  throw new StartError(
    `${VARIABLES.host.name} is ${config.host}, so other machines reach this process: set ${NAMES.join(' or ')} to a secret that the processes which call it have as well, or ${VARIABLES.host.name} to 127.0.0.1.`,
  );
}

function readInferenceKey(config: Config<'inferenceKey'>): string | null {
  const key = readSecret(config, { given: 'inferenceKey', file: 'inferenceKeyFile' });
  if (key === null || KEY.test(key)) return key;
  throw new StartError(
    `The secret of ${NAMES.join(' or ')} has to have at least 16 characters, visible ones of ASCII alone.`,
  );
}
