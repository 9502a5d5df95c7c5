import { readFileSync } from 'node:fs';
import type { ReadValues } from '../resilience/credential.ts';
import { StartError } from '../lifecycle/start-error.ts';
import { secretReader } from './read-secret.ts';
import { type Config, VARIABLES } from './variable-groups.ts';

export interface KafkaSettings {
  /** The addresses of some brokers, each as `host:port`. The client asks one of them for all others. */
  readonly brokers: readonly string[];
  readonly topic: string;
  readonly partitions: number;
  readonly replicas: number;
  readonly mayCreateTopic: boolean;
  /**
   * Null if connections do not use TLS. `ca` contains trusted certificate authorities as PEM; a null `ca` means
   * Node's default authorities.
   */
  readonly tls: { readonly ca: string | null } | null;
  /** Null for connections without authentication. */
  readonly login: KafkaLogin | null;
}

export interface KafkaLogin {
  readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
  readonly username: string;
  /** Reads the password. */
  readonly password: ReadValues;
}

/**
 * The configured Kafka cluster; null if none is configured.
 *
 * @throws StartError if a secret is set twice or missing, or if a file cannot be read
 */
export function readKafkaSettings(config: Config<'kafka'>): KafkaSettings | null {
  const { kafkaBrokers, kafkaTls, kafkaCaFile } = config;
  if (kafkaBrokers === null) return null;
  return {
    brokers: kafkaBrokers.split(','),
    topic: config.kafkaTopic,
    partitions: config.kafkaPartitions,
    replicas: config.kafkaReplicas,
    mayCreateTopic: config.kafkaCreateTopic === 'true',
    tls: kafkaTls === 'true' ? { ca: kafkaCaFile === null ? null : readCa(kafkaCaFile) } : null,
    login: readLogin(config),
  };
}

function readLogin(config: Config<'kafka'>): KafkaLogin | null {
  const { kafkaUsername: username, kafkaMechanism: mechanism } = config;
  const variables = { given: 'kafkaPassword', file: 'kafkaPasswordFile' } as const;
  const password = secretReader(config, variables, String);
  if (username === null) return null;
  if (password !== null) return { mechanism, username, password };
  const [user, secret] = [VARIABLES.kafkaUsername.name, VARIABLES.kafkaPassword.name];
  throw new StartError(`${user} is set: set ${secret}, too.`);
}

function readCa(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    const { name } = VARIABLES.kafkaCaFile;
    throw new StartError(`${name}: the file ${path} cannot be read (${code}).`, { cause });
  }
}
