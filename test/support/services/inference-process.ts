import { resolve } from 'node:path';
import { answersAt } from '@sightline/dev-platform/answers';
import { freePort } from '@sightline/dev-platform/free-port';
import { KillableProcess } from '../servers/killable-process.ts';
import { childEnvironment } from './running-service.ts';

const MAIN = resolve(import.meta.dirname, '../../../apps/inference/src/main.ts');

/** An inference process. Its models are warm once it has started. */
export class InferenceProcess extends KillableProcess {
  readonly port: number;
  readonly #opsPort: number;

  private constructor(port: number, opsPort: number, given: Readonly<Record<string, string>>) {
    const settings = { SIGHTLINE_HOST: '127.0.0.1', SIGHTLINE_WORKERS: '1', ...given };
    const ports = { SIGHTLINE_PORT: String(port), SIGHTLINE_OPS_PORT: String(opsPort) };
    super({
      name: 'inference',
      command: process.execPath,
      args: [MAIN],
      environment: childEnvironment({ ...settings, ...ports }),
      isReady: () => answersAt(`http://127.0.0.1:${opsPort}/readyz`),
    });
    this.port = port;
    this.#opsPort = opsPort;
  }

  static async start(): Promise<InferenceProcess> {
    const inference = await InferenceProcess.prepare();
    await inference.start();
    return inference;
  }

  /** Prepares a process on free ports, without starting it. */
  static async prepare(settings: Readonly<Record<string, string>> = {}): Promise<InferenceProcess> {
    return new InferenceProcess(await freePort(), await freePort(), settings);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The URL of its operations listener. */
  get opsUrl(): string {
    return `http://127.0.0.1:${this.#opsPort}`;
  }
}
