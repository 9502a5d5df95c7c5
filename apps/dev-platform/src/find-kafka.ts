import { join } from 'node:path';
import type { Environment } from '@sightline/platform/config/read-environment';
import type { Config } from '@sightline/platform/config/variable-groups';
import { freePorts } from './free-port.ts';
import { hasKafka, planKafka } from './kafka-plan.ts';
import type { ProcessPlan } from './supervised-process.ts';

/** A Kafka for the platform. */
export interface KafkaChoice {
  readonly brokers: string;
  /** The origin of the server, for messages. */
  readonly origin: string;
  /** Null if it is started elsewhere. */
  readonly plan: ProcessPlan | null;
}

/**
 * The Kafka of the configuration, else one that this machine can run. Null if there is none: processes read events
 * from the database then.
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
