import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePorts } from '@sightline/dev-platform/free-port';
import type { KubeConnection } from '@sightline/kube/kube-connection';
import { adminConnection } from './admin-connection.ts';

const CLUSTER = resolve('.cache/cluster');
const SCRIPT = join(import.meta.dirname, 'control-plane.sh');
export interface Said {
  readonly ok: boolean;
  /** The stdout, followed by the stderr. */
  readonly text: string;
}

/** A Kubernetes API server and its etcd, without nodes; controllers run only on request. */
export class ApiServer implements AsyncDisposable {
  readonly #folder: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #port: number;

  private constructor(
    folder: string,
    [port, etcd, peer]: readonly number[],
    hasControllers: boolean,
  ) {
    this.#folder = folder;
    this.#port = port!;
    const ports = { API_PORT: String(port), ETCD_PORT: String(etcd), ETCD_PEER_PORT: String(peer) };
    const places = { CLUSTER_DIR: CLUSTER, RUN: folder, API_ONLY: hasControllers ? '' : '1' };
    this.#environment = { ...process.env, ...places, ...ports };
  }

  static async start({ hasControllers = false } = {}): Promise<ApiServer> {
    const folder = await mkdtemp(join(tmpdir(), 'sightline-kube-'));
    const server = new ApiServer(folder, await freePorts(3), hasControllers);
    await server.start();
    return server;
  }

  /** The path of the administrator's kubeconfig file. */
  get kubeconfig(): string {
    return join(this.#folder, 'pki/admin.kubeconfig');
  }

  connect(): Promise<KubeConnection> {
    return adminConnection(this.#folder, `https://127.0.0.1:${this.#port}`);
  }

  /** Starts the server. A restarted server keeps its objects. */
  async start(): Promise<void> {
    await this.#run('start', { KEEP: '1' });
  }

  async stop(): Promise<void> {
    await this.#run('stop', {});
  }

  async kubectl(args: readonly string[], input = ''): Promise<Said> {
    const command = [join(CLUSTER, 'bin/kubectl'), `--kubeconfig=${this.kubeconfig}`, ...args];
    return run(command, { input, env: this.#environment });
  }

  /** Runs commands of the documentation, in which `kubectl` talks to this server. */
  async shell(commands: string): Promise<Said> {
    const { PATH = '' } = this.#environment;
    const env = {
      ...this.#environment,
      KUBECONFIG: this.kubeconfig,
      PATH: `${join(CLUSTER, 'bin')}:${PATH}`,
    };
    return run(['bash', '-euc', commands], { input: '', env });
  }

  async helm(args: readonly string[]): Promise<Said> {
    const command = [join(CLUSTER, 'bin/helm'), `--kubeconfig=${this.kubeconfig}`, ...args];
    // Otherwise Helm would write into the home folder of the user who runs the tests.
    const home = join(this.#folder, 'helm');
    const places = { HELM_CACHE_HOME: home, HELM_CONFIG_HOME: home, HELM_DATA_HOME: home };
    return run(command, { input: '', env: { ...this.#environment, ...places } });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #run(what: 'start' | 'stop', more: NodeJS.ProcessEnv): Promise<void> {
    const said = await run([SCRIPT, what], { input: '', env: { ...this.#environment, ...more } });
    if (!said.ok) throw new Error(said.text);
  }
}

async function run(
  [program, ...args]: readonly string[],
  { input, env }: { readonly input: string; readonly env: NodeJS.ProcessEnv },
): Promise<Said> {
  const child = spawn(program!, args, { env, stdio: 'pipe' });
  child.stdin.on('error', () => undefined).end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { ok: code === 0, text: `${stdout}${stderr}` };
}
