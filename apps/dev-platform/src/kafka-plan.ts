import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listensAt } from './answers.ts';
import { ROOT } from './root.ts';
import type { ProcessPlan } from './supervised-process.ts';

/** The folder of Kafka's Java archives (JARs), which `make tools` downloads. */
export const KAFKA_LIBRARIES = join(ROOT, '.cache/tools/kafka');
/** The cluster id of Kafka, an arbitrary constant because only one node uses the data folder. */
const CLUSTER = 'c2lnaHRsaW5lLWxvY2FsLQ';
const MEMORY = '-Xmx384m';

export interface KafkaPlanOptions {
  /** The absolute path of Kafka's data folder, which is created if it does not exist. */
  readonly folder: string;
  readonly port: number;
  readonly controllerPort: number;
  readonly path: string | undefined;
  /** Further lines of `server.properties`, which override the defaults of this plan. */
  readonly settings?: string;
}

export async function hasKafka(): Promise<boolean> {
  return access(KAFKA_LIBRARIES).then(
    () => true,
    () => false,
  );
}

/** Plans a Kafka server with one node whose data outlives restarts. */
export async function planKafka(options: KafkaPlanOptions): Promise<ProcessPlan> {
  const { folder, port, path } = options;
  await mkdir(folder, { recursive: true });
  const properties = join(folder, 'server.properties');
  const logging = join(folder, 'log4j2.yaml');
  await writeFile(properties, settingsOf(options));
  await writeFile(logging, LOGGING);
  const java = `java ${MEMORY} -Dlog4j2.configurationFile="$3" -cp "$1/*"`;
  const format = `${java} kafka.tools.StorageTool format --ignore-formatted -t ${CLUSTER} -c "$2"`;
  return {
    name: 'kafka',
    command: 'sh',
    args: [
      '-ec',
      `${format}; exec ${java} kafka.Kafka "$2"`,
      'kafka',
      KAFKA_LIBRARIES,
      properties,
      logging,
    ],
    environment: { PATH: path, HOME: folder },
    isReady: () => listensAt(port),
  };
}

function settingsOf({ folder, port, controllerPort, settings = '' }: KafkaPlanOptions): string {
  return `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controllerPort}
listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}
controller.listener.names=CONTROLLER
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
log.dirs=${join(folder, 'log')}
auto.create.topics.enable=false
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
share.coordinator.state.topic.replication.factor=1
group.initial.rebalance.delay.ms=0
${settings}`;
}

const LOGGING = `Configuration:
  Appenders:
    Console:
      name: console
      PatternLayout:
        pattern: "%p %m%n"
  Loggers:
    Root:
      level: WARN
      AppenderRef:
        ref: console
`;
