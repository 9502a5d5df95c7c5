import { join } from 'node:path';
import type { Environment } from '@sightline/platform/config/read-environment';
import type { Config } from '@sightline/platform/config/variable-groups';
import { freePorts } from './free-port.ts';
import { hasKafka, planKafka } from './kafka-plan.ts';
import type { ProcessPlan } from './supervised-process.ts';

export interface KafkaChoice {
  readonly brokers: string;
  /** The origin of the cluster in words, for messages. */
  readonly origin: string;
  /** The process to start; null if the cluster runs outside the platform. */
  readonly plan: ProcessPlan | null;
}

/**
 * Returns the configured Kafka cluster, else a Kafka that this machine can run, else null. Without Kafka, processes
 * read events from the database.
 */
export async function findKafka(
  { kafkaBrokers }: Pick<Config<'kafka'>, 'kafkaBrokers'>,
  { data, environment }: { readonly data: string; readonly environment: Environment },
): Promise<KafkaChoice | null> {
  if (kafkaBrokers !== null) {
    return { brokers: kafkaBrokers, origin: 'SIGHTLINE_KAFKA_BROKERS', plan: null };
  }
  if (!(await hasKafka())) return null;
  const [port, controllerPort] = await freePorts(2);
  const plan = await planKafka({
    folder: join(data, 'kafka'),
    port: port!,
    controllerPort: controllerPort!,
    path: environment.PATH,
  });
  return { brokers: `127.0.0.1:${port}`, origin: plan.args.at(3)!, plan };
}
