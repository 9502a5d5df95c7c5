import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@sightline/dev-platform/free-port';
import { KAFKA_LIBRARIES, planKafka } from '@sightline/dev-platform/kafka-plan';
import type { ProcessPlan } from '@sightline/dev-platform/supervised-process';
import { KillableProcess } from './killable-process.ts';

/** Whether `make tools` has fetched it. */
export function hasKafkaLibraries(): boolean {
  return existsSync(KAFKA_LIBRARIES);
}

/** A Kafka of a test's own; one that is started again has what it had. */
export class KafkaProcess extends KillableProcess {
  /** `host:port` */
  readonly brokers: string;
  readonly #folder: string;

  private constructor(plan: ProcessPlan, folder: string, port: number) {
    super(plan);
    this.brokers = `127.0.0.1:${port}`;
    this.#folder = folder;
  }

  static async start(): Promise<KafkaProcess> {
    const kafka = await KafkaProcess.prepare();
    await kafka.start();
    return kafka;
  }

  /** One that does not run yet. */
  static async prepare(): Promise<KafkaProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'sightline-kafka-'));
    const [port, controllerPort] = [await freePort(), await freePort()];
    const plan = await planKafka({ folder, port, controllerPort, path: process.env.PATH });
    return new KafkaProcess(plan, folder, port);
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
