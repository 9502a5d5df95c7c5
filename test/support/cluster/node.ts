import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { KubeClient } from '@sightline/kube/kube-client';
import type { KubeObject, Resource } from '@sightline/kube/kube-object';
import { adminConnection } from './admin-connection.ts';
import { WaitLimit } from '../waits/wait-until.ts';

/** The folder of the running node. Tests run in the node's network. */
const FOLDER = process.env.SIGHTLINE_TEST_NODE;
const PROGRAMS = resolve('.cache/cluster/bin');
/** The address of the API server in the node's network. */
const SERVER = 'https://127.0.0.1:6443';
const NEVER = new AbortController().signal;

/**
 * Returns the output of a program.
 * @throws Error with the whole output if the program fails
 */
async function run(program: string, args: readonly string[], input = ''): Promise<string> {
  const home = join(FOLDER!, 'helm');
  const places = { HELM_CACHE_HOME: home, HELM_CONFIG_HOME: home, HELM_DATA_HOME: home };
  const env = { ...process.env, ...places, PATH: `${PROGRAMS}:${process.env.PATH}` };
  const child = spawn(program, args, { env, stdio: 'pipe' });
  child.stdin.on('error', () => undefined).end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  if (code === 0) return stdout;
  throw new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`);
}

/** Kills the API server during the work, and restarts it afterwards. */
export async function withoutApiServer(work: () => Promise<unknown>): Promise<void> {
  const file = join(FOLDER!, 'kube-apiserver.pid');
  const pid = Number(await readFile(file, 'utf8'));
  const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0').slice(0, -1);
  process.kill(pid, 'SIGKILL');
  try {
    await work();
  } finally {
    const [program, ...args] = command;
    const server = spawn(program!, args, { detached: true, stdio: 'ignore' });
    server.unref();
    await writeFile(file, String(server.pid));
  }
}

/** A namespace of the node, in which pods satisfy the restricted standard. */
export class NodeNamespace {
  readonly name: string;
  #client: Promise<KubeClient> | null = null;

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

  /** Runs commands of bash, which find kubectl. @throws Error with their output if one of them fails */
  bash(commands: string): Promise<string> {
    return run('bash', ['-euo', 'pipefail', '-c', commands]);
  }

  async apply(object: object, ...flags: readonly string[]): Promise<void> {
    const args = ['apply', `--namespace=${this.name}`, ...flags, '-f', '-'];
    await run('kubectl', args, JSON.stringify(object));
  }

  /**
   * Kills every program of the pods at once. The kubelet then restarts the programs.
   * @returns the number of killed programs
   */
  async killPrograms(selector: string): Promise<number> {
    const { items } = await this.get<{
      readonly items: readonly { readonly metadata: { readonly uid: string } }[];
    }>('pods', `--selector=${selector}`);
    let killed = 0;
    for (const id of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
      const group = await readFile(`/proc/${id}/cgroup`, 'utf8').catch(() => '');
      if (!items.some(({ metadata }) => group.includes(metadata.uid))) continue;
      const program = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '');
      // The pause program is not killed, because the pod's network ends with it.
      if (program === '' || program.startsWith('/pause')) continue;
      process.kill(Number(id), 'SIGKILL');
      killed++;
    }
    return killed;
  }

  /** Evicts a pod, as draining a node does: within its disruption budget. */
  async evict(pod: string): Promise<void> {
    const metadata = { name: pod, namespace: this.name };
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata };
    const path = `/api/v1/namespaces/${this.name}/pods/${pod}/eviction`;
    await run('kubectl', ['create', `--raw=${path}`, '-f', '-'], JSON.stringify(eviction));
  }

  async get<T>(...args: readonly string[]): Promise<T> {
    return JSON.parse(await this.kubectl('get', ...args, '--output=json')) as T;
  }

  /** The names of pods that are not being deleted. */
  async podsOf(selector: string): Promise<readonly string[]> {
    const { items } = await this.get<{
      readonly items: readonly {
        readonly metadata: { readonly name: string; readonly deletionTimestamp?: string };
      }[];
    }>('pods', `--selector=${selector}`);
    const kept = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    return kept.map(({ metadata }) => metadata.name);
  }

  async podAddress(pod: string): Promise<string> {
    const { status } = await this.get<{ readonly status: { readonly podIP: string } }>('pod', pod);
    return status.podIP;
  }

  /**
   * Returns the outcome of connections from a pod with Node to addresses `host:port`: `open`, or
   * the code of the error.
   * @param pod the name of a pod, or `deployment/name` for any pod of the deployment
   */
  async connects(pod: string, addresses: readonly string[]): Promise<readonly string[]> {
    const script = `const { connect } = require('node:net');
      const tried = (address) => new Promise((resolve) => {
        const [host, port] = address.split(':');
        const socket = connect({ host, port, timeout: 5000 }, () => resolve('open'));
        socket.on('error', ({ code }) => resolve(code)).on('timeout', () => resolve('ETIMEDOUT'));
      });
      Promise.all(${JSON.stringify(addresses)}.map(tried)).then((outcomes) => {
        console.log(JSON.stringify(outcomes));
        process.exit();
      });`;
    return JSON.parse(await this.kubectl('exec', pod, '--', '/app/node', '-e', script)) as string[];
  }

  /**
   * Reads an object; null if it does not exist. This does not start kubectl, which would take a sixth of a second of
   * processor time for each read.
   */
  async read<T extends KubeObject>(resource: Resource, name: string): Promise<T | null> {
    this.#client ??= adminConnection(FOLDER!, SERVER).then((admin) => new KubeClient(admin));
    return (await this.#client).get<T>({ resource, namespace: this.name, name }, NEVER);
  }

  /**
   * Polls until a condition holds.
   * @throws Error with the last result, or the last failure as its cause, after the time limit
   */
  async until<T>(
    read: () => Promise<T | null>,
    holds: (found: T) => boolean,
    { limitMs = 180_000 }: { readonly limitMs?: number } = {},
  ): Promise<T> {
    const limit = new WaitLimit(limitMs);
    for (;;) {
      let cause: unknown;
      const found = await read().catch((error: unknown) => {
        cause = error;
        return null;
      });
      if (found !== null && holds(found)) return found;
      if (limit.isOver()) throw limit.error('a condition of the node held', found, { cause });
      await sleep(300);
    }
  }

  /** Makes the kubelet update the mounted Secrets of pods at once, instead of within a minute or two. */
  async updateSecrets(...pods: readonly string[]): Promise<void> {
    const change = `example.com/updated=${Date.now()}`;
    await this.kubectl('annotate', 'pods', ...pods, '--overwrite', change);
  }

  /** Makes the node report GPUs until disposal. The scheduler and the kubelet count them. */
  async addGpus(count: number): Promise<AsyncDisposable> {
    const path = '/status/capacity/nvidia.com~1gpu';
    const patch = async (change: object) => {
      const text = JSON.stringify([change]);
      const flags = ['--subresource=status', '--type=json', '--patch', text];
      await this.kubectl('patch', 'node', 'node1', ...flags);
    };
    await patch({ op: 'add', path, value: String(count) });
    return { [Symbol.asyncDispose]: () => patch({ op: 'remove', path }) };
  }

  /** Creates volumes for claims of the class `local`, because the node has no provisioner. */
  async addVolumes(count: number): Promise<void> {
    for (let at = 1; at <= count; at++) {
      const path = join(FOLDER!, 'volumes', `${this.name}-${at}`);
      await mkdir(path, { recursive: true });
      // Pods of any user may write into the folder.
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
