import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '@sightline/dev-platform/free-port';
import { KAFKA_LIBRARIES, planKafka } from '@sightline/dev-platform/kafka-plan';
import type { ProcessPlan } from '@sightline/dev-platform/supervised-process';
import { KillableProcess } from './killable-process.ts';
import type { TestCertificate } from './test-certificate.ts';

/** Whether `make tools` has fetched Kafka's libraries. */
export function hasKafkaLibraries(): boolean {
  return existsSync(KAFKA_LIBRARIES);
}

/** The interval of a broker's heartbeats, so that several of them fit into a short session. */
const HEARTBEAT = 'broker.heartbeat.interval.ms=500';

export interface KafkaLogin {
  readonly username: string;
  readonly password: string;
  readonly certificate: TestCertificate;
}

export interface KafkaOptions {
  /** The credentials of clients; with a login, clients must use TLS and trust the authority. */
  readonly login?: KafkaLogin;
  /**
   * The time in ms after which the controller forgets a killed broker. A restarted one waits for that. The default of
   * Kafka is 9 s.
   */
  readonly sessionMs?: number;
}

/** A Kafka that belongs to one test. It keeps its data when it is restarted. */
export class KafkaProcess extends KillableProcess {
  /** The address, as `host:port`. */
  readonly brokers: string;
  readonly #folder: string;

  private constructor(plan: ProcessPlan, folder: string, port: number) {
    super(plan);
    this.brokers = `127.0.0.1:${port}`;
    this.#folder = folder;
  }

  static async start({ login, sessionMs }: KafkaOptions = {}): Promise<KafkaProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'sightline-kafka-'));
    const [port, controllerPort, securePort] = (await freePorts(3)) as [number, number, number];
    const ports = { port, controllerPort, securePort };
    const plan = await planKafka({
      folder,
      ...ports,
      path: process.env.PATH,
      settings: [
        ...(login ? [settingsOf(login, ports)] : []),
        ...(sessionMs ? [`broker.session.timeout.ms=${sessionMs}`, HEARTBEAT] : []),
      ].join('\n'),
    });
    const kafka = new KafkaProcess(plan, folder, login ? securePort : port);
    await kafka.start();
    return kafka;
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Returns the settings of the listener for clients. The node itself uses another listener. */
function settingsOf(
  { username, password, certificate }: KafkaLogin,
  {
    port,
    controllerPort,
    securePort,
  }: Readonly<Record<'port' | 'controllerPort' | 'securePort', number>>,
): string {
  const login = 'org.apache.kafka.common.security.plain.PlainLoginModule required';
  const inLine = (pem: string): string => pem.trim().replaceAll('\n', '\\n');
  return `listeners=PLAINTEXT://127.0.0.1:${port},SECURE://127.0.0.1:${securePort},CONTROLLER://127.0.0.1:${controllerPort}
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SECURE:SASL_SSL
inter.broker.listener.name=PLAINTEXT
sasl.enabled.mechanisms=PLAIN
listener.name.secure.plain.sasl.jaas.config=${login} user_${username}="${password}";
ssl.keystore.type=PEM
ssl.keystore.certificate.chain=${inLine(certificate.cert)}
ssl.keystore.key=${inLine(certificate.key)}
`;
}
