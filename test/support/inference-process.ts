import { resolve } from 'node:path';
import { freePort } from '@sightline/local/free-port';
import { SupervisedProcess } from '@sightline/local/supervised-process';
import { childEnvironment } from './running-service.ts';

const MAIN = resolve(import.meta.dirname, '../../apps/inference/src/main.ts');

/** Models in a process of their own, which may be killed, stopped and started again. */
export class InferenceProcess implements AsyncDisposable {
  readonly port: number;
  readonly #process: SupervisedProcess;

  private constructor(port: number, opsPort: number) {
    this.port = port;
    const settings = { SIGHTLINE_HOST: '127.0.0.1', SIGHTLINE_WORKERS: '1' };
    const ports = { SIGHTLINE_PORT: String(port), SIGHTLINE_OPS_PORT: String(opsPort) };
    this.#process = new SupervisedProcess(
      {
        ...{ name: 'inference', command: process.execPath, args: [MAIN] },
        environment: childEnvironment({ ...settings, ...ports }),
        isReady: () =>
          fetch(`http://127.0.0.1:${opsPort}/readyz`).then(
            ({ ok }) => ok,
            () => false,
          ),
      },
      { restart: false, onLine: () => undefined, onEvent: () => undefined },
    );
  }

  static async start(): Promise<InferenceProcess> {
    const inference = await InferenceProcess.prepare();
    await inference.start();
    return inference;
  }

  /** One that has its address and is not running yet. */
  static async prepare(): Promise<InferenceProcess> {
    return new InferenceProcess(await freePort(), await freePort());
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Settles when its models are warm. */
  async start(): Promise<void> {
    this.#process.start();
    await this.#process.untilReady(new AbortController().signal);
  }

  /** Ends it without warning. */
  kill(): Promise<void> {
    return this.#process.kill();
  }

  /** It keeps its connections, takes new ones, and answers none. */
  hang(): void {
    this.#process.hang();
  }

  resume(): void {
    this.#process.resume();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process.stop();
  }
}
