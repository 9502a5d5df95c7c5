import type { ReadValues } from '../resilience/credential.ts';
import { StartError } from '../lifecycle/start-error.ts';
import { DNS_PREFIX } from './groups/inference-variables.ts';
import { isLoopbackHost } from './is-loopback-host.ts';
import { secretReader } from './read-secret.ts';
import { type Config, VARIABLES } from './variable-groups.ts';

export interface InferenceSettings {
  /** The addresses of inference processes, at least one. */
  readonly urls: readonly URL[];
  /** Whether the only URL has a host name that means all addresses to which the name resolves. */
  readonly isName: boolean;
  /**
   * Reads the secret that inference processes share with their callers; null if all inference processes run on this
   * machine.
   */
  readonly key: ReadValues | null;
  readonly routes: 'database' | 'kubernetes' | 'declared';
}

/** The pattern of a valid key: at least 16 visible ASCII characters, which an HTTP header can carry. */
const KEY = /^[\x21-\x7e]{16,}$/;
const NAMES = [VARIABLES.inferenceKey.name, VARIABLES.inferenceKeyFile.name] as const;

/**
 * The configured inference processes; null if models run in this process.
 *
 * @throws StartError if the key cannot be read, or if the key is missing although a process runs on another machine
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
 * Reads the keys of which callers of this inference process must send one; null if callers need no key.
 *
 * @throws StartError if the key cannot be read, or if the key is missing although other machines can reach this process
 */
export function readOwnInferenceKey(config: Config<'process' | 'inferenceKey'>): ReadValues | null {
  const key = readInferenceKey(config);
  if (key !== null || isLoopbackHost(config.host)) return key;
  throw new StartError(
    `${VARIABLES.host.name} is ${config.host}, so other machines can reach this process: set ${NAMES.join(' or ')} to a secret that the calling processes also have, or ${VARIABLES.host.name} to 127.0.0.1.`,
  );
}

function readInferenceKey(config: Config<'inferenceKey'>): ReadValues | null {
  return secretReader(config, { given: 'inferenceKey', file: 'inferenceKeyFile' }, requireKey);
}

function requireKey(key: string): string {
  if (KEY.test(key)) return key;
  throw new StartError(
    `The secret of ${NAMES.join(' or ')} has to consist of at least 16 visible ASCII characters, without spaces.`,
  );
}
