import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe } from '@jest/globals';

/** Of the running node; tests run in its network. */
const FOLDER = process.env.SIGHTLINE_TEST_NODE;
const PROGRAMS = resolve('.cache/cluster/bin');

/** A suite that needs real pods; named as skipped where `make e2e` has not started a node. */
export function describeOnNode(name: string, body: () => void): void {
  if (FOLDER !== undefined) describe(name, body);
  else describe.skip(`${name} [skipped: no Kubernetes node; make e2e starts one]`, body);
}

/** What a program writes. @throws Error with all that it wrote if it fails */
async function run(program: string, args: readonly string[], input = ''): Promise<string> {
  const home = join(FOLDER!, 'helm');
  const places = { HELM_CACHE_HOME: home, HELM_CONFIG_HOME: home, HELM_DATA_HOME: home };
  const env = { ...process.env, ...places };
  const child = spawn(join(PROGRAMS, program), args, { env, stdio: 'pipe' });
  child.stdin.on('error', () => undefined).end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  if (code === 0) return stdout;
  throw new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`);
}

/** A namespace of the node, in which pods satisfy the restricted standard. */
export class NodeNamespace {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  async create(): Promise<void> {
    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
    const metadata = { name: this.name, labels };
    await this.apply({ apiVersion: 'v1', kind: 'Namespace', metadata });
  }

  kubectl(...args: readonly string[]): Promise<string> {
    return run('kubectl', [`--namespace=${this.name}`, ...args]);
  }

  helm(...args: readonly string[]): Promise<string> {
    return run('helm', [`--namespace=${this.name}`, ...args]);
  }

  async apply(object: object, ...flags: readonly string[]): Promise<void> {
    const args = ['apply', `--namespace=${this.name}`, ...flags, '-f', '-'];
    await run('kubectl', args, JSON.stringify(object));
  }

  async get<T>(...args: readonly string[]): Promise<T> {
    return JSON.parse(await this.kubectl('get', ...args, '--output=json')) as T;
  }

  /** Asks again and again. @throws Error with what was read last after so many ms */
  async until<T>(
    args: readonly string[],
    holds: (found: T) => boolean,
    { limitMs = 180_000 }: { readonly limitMs?: number } = {},
  ): Promise<T> {
    const giveUpAt = performance.now() + limitMs;
    for (;;) {
      const found = await this.get<T>(...args).catch((error: unknown) => String(error));
      if (typeof found !== 'string' && holds(found)) return found;
      if (performance.now() > giveUpAt) throw new Error(JSON.stringify(found, null, 1));
      await sleep(300);
    }
  }

  /** Volumes for claims of the class `local`: the node brings no provisioner. */
  async addVolumes(count: number): Promise<void> {
    for (let at = 1; at <= count; at++) {
      const path = join(FOLDER!, 'volumes', `${this.name}-${at}`);
      await mkdir(path, { recursive: true });
      // Pods of any user write there.
      await chmod(path, 0o777);
      await this.apply({
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name: `${this.name}-${at}` },
        spec: {
          capacity: { storage: '10Gi' },
          accessModes: ['ReadWriteOnce'],
          storageClassName: 'local',
          persistentVolumeReclaimPolicy: 'Retain',
          hostPath: { path },
        },
      });
    }
  }
}
