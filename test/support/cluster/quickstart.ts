import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '@sightline/contracts/client';
import {
  INFERENCE_MODELS,
  type InferenceModel,
} from '@sightline/contracts/cluster/inference-model';
import {
  INFERENCE_ROUTES,
  type InferenceRoute,
} from '@sightline/contracts/cluster/inference-route';
import { drawPhoto } from '../fixtures/draw-photo.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { TOY_PACKS, writeOtherToyFaces, writeToyPacks } from '../fixtures/toy-packs.ts';
import { hasTool } from '../servers/tools.ts';
import { ok } from '../services/ok.ts';
import { NodeNamespace } from './node.ts';

const IMAGE = { repository: 'docker.io/library/sightline', tag: 'e2e' };

/** The pod and Service of a test from which models may be fetched. */
export const SOURCE_POD = 'bad-server';
/**
 * Lets pods send DNS requests to the node: its DNS server runs on the node itself, not in a pod as the chart's
 * default expects.
 */
export const NETWORK_OF_NODE = { dns: { to: [{ ipBlock: { cidr: '10.200.0.1/32' } }] } };
/**
 * Whether the images of the node include a Qdrant. Otherwise quickstarts run with the embedded
 * index.
 */
export const HAS_QDRANT = hasTool('qdrant');
/** The chart's values for the stores of a quickstart, without Qdrant. */
export const STORES = {
  storageClassName: 'local',
  postgres: { image: 'docker.io/library/postgres:e2e' },
  s3: { image: 'docker.io/library/sightline-s3:e2e' },
  kafka: { image: 'docker.io/library/kafka:e2e' },
  qdrant: { enabled: false },
} as const;
/**
 * The face packs of a quickstart, by the names of their InferenceModels. The second model runs in
 * the pods of the first one.
 */
export const FACES = { faces: TOY_PACKS.face, others: 'other-faces' } as const;
/** The cluster-scoped kinds of a release's objects. */
const OF_THE_CLUSTER = [
  'clusterroles',
  'clusterrolebindings',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
];
/** The least number of requests of each caller. */
const ENOUGH = 10;
/**
 * The pause of a caller between two requests in ms. It leaves processor time to the pods that
 * start.
 */
const PAUSE_MS = 150;
/** The resource requests and limits of a test pod. */
export const POD = {
  requests: { cpu: '50m', memory: '192Mi' },
  limits: { memory: '1Gi' },
};

/**
 * A release of the chart with the stores of its quickstart. Its namespace on the node has the same
 * name.
 */
export class Quickstart implements AsyncDisposable {
  readonly name: string;
  readonly namespace: NodeNamespace;
  /** The revisions of the packs, by name. */
  readonly revisions = new Map<string, string>();
  readonly #resources: AsyncDisposableStack;
  readonly #folder: string;
  readonly #hasQdrant: boolean;
  #client: Client | null = null;
  #apiKey = '';

  private constructor(
    name: string,
    resources: AsyncDisposableStack,
    options: { readonly folder: string; readonly hasQdrant: boolean },
  ) {
    this.name = name;
    this.namespace = new NodeNamespace(name);
    this.#resources = resources;
    this.#folder = options.folder;
    this.#hasQdrant = options.hasQdrant;
  }

  /**
   * Creates the namespace and its volumes, without installing the release.
   * @param options.hasQdrant whether the index is in a Qdrant; otherwise each API process has an
   * index of its own
   */
  static async prepare(name: string, { volumes = 2, hasQdrant = false } = {}): Promise<Quickstart> {
    const resources = new AsyncDisposableStack();
    const { path } = resources.use(await temporaryFolder());
    const made = new Quickstart(name, resources, { folder: path, hasQdrant });
    // Helm does not follow a link to a dependency, so the copy has none.
    await cp(resolve('charts'), join(path, 'charts'), { recursive: true, dereference: true });
    await made.namespace.create();
    await made.namespace.addVolumes(volumes);
    return made;
  }

  /**
   * Installs the release, and waits until its models serve requests. @param more values of the chart that override
   * those that all tests use
   */
  async start(more: object = {}): Promise<void> {
    const { namespace, name } = this;
    await this.release('install', {
      ...more,
      models: { 'starter-faces': null, 'starter-objects': null },
      routes: { face: null, object: null },
    });
    await namespace.kubectl('rollout', 'status', `statefulset/${name}-s3`, '--timeout=120s');
    await namespace.kubectl('rollout', 'status', `deployment/${name}-api`, '--timeout=180s');
    await this.#pushPacks();
    await this.release('upgrade', more);
    await Promise.all([this.answers('face', 'faces'), this.answers('object', 'objects')]);
    await this.connect();
  }

  /** An administrator's client, which sends requests to the Service. */
  get client(): Client {
    if (this.#client === null) throw new Error('The quickstart has not been started.');
    return this.#client;
  }

  /** An administrator's client for a single pod. */
  clientAt(baseUrl: string): Client {
    return createClient({ baseUrl, fetch, apiKey: this.#apiKey });
  }

  /**
   * Waits until all pods of the API answer again, and the Service routes to them. Their programs
   * may have been killed.
   */
  async apiAnswers(): Promise<void> {
    const selector = 'app.kubernetes.io/component=api';
    for (const pod of await this.namespace.podsOf(selector)) {
      const address = await this.namespace.podAddress(pod);
      await untilItAnswers(this.clientAt(`http://${address}:8080`));
    }
    // Containers that were ready before the kill are ready again only after the kubelet's next probe.
    const ready = ['--for=condition=Ready', '--timeout=180s'];
    await this.namespace.kubectl('wait', 'pods', `--selector=${selector}`, ...ready);
    await untilItAnswers(this.client);
  }

  /**
   * Installs or upgrades the release with values for this node.
   * @param more values of the chart that override those that all tests use
   */
  async release(command: 'install' | 'upgrade', more: object = {}): Promise<void> {
    const file = join(this.#folder, 'values.json');
    await writeFile(file, JSON.stringify({ ...this.#values(), ...more }));
    const quickstart = resolve('charts/sightline/values-quickstart.yaml');
    const chart = join(this.#folder, 'charts/sightline');
    const values = [`--values=${quickstart}`, `--values=${file}`];
    await this.namespace.helm(command, this.name, chart, ...values);
  }

  /** Returns the spec of a model whose pack is in the model store. */
  modelOf(packName: string, task: string) {
    const revision = this.revisions.get(packName) ?? '0'.repeat(64);
    return { task, packName, source: { store: {} }, revision };
  }

  /** Returns a value of the Secret with the passwords of the stores. */
  async secret(key: string): Promise<string> {
    const { data } = await this.namespace.get<{ readonly data: Readonly<Record<string, string>> }>(
      'secret',
      `${this.name}-quickstart`,
    );
    return Buffer.from(data[key]!, 'base64').toString();
  }

  /** Sets keys of the Secret with the passwords of the stores. */
  async setSecret(stringData: Readonly<Record<string, string>>): Promise<void> {
    await this.patch('secret', `${this.name}-quickstart`, { stringData });
  }

  /**
   * Returns the commands of a page in docs/kubernetes, with the names of this release.
   * @param key the key of the Secret that the commands change
   */
  async documentedCommands(page: string, key: string): Promise<string> {
    const text = await readFile(resolve(`docs/kubernetes/${page}.md`), 'utf8');
    const blocks = [...text.matchAll(/^```\n(.*?)^```$/gms)].map(([, block]) => block!);
    const [block, ...others] = blocks.filter((each) => each.includes(`.data.${key}}`));
    assert.deepEqual([typeof block, others], ['string', []]);
    return block!
      .replaceAll(/secret sightline-\w+/g, `secret ${this.name}-quickstart`)
      .replaceAll('photos', this.name)
      .replaceAll('imodel/buffalo-l', 'imodel/faces');
  }

  /** Returns the address of the S3 pod. */
  s3Address(): Promise<string> {
    return this.namespace.podAddress(`${this.name}-s3-0`);
  }

  routeIs(slot: string, holds: (route: InferenceRoute) => boolean): Promise<InferenceRoute> {
    const read = () => this.namespace.read<InferenceRoute>(INFERENCE_ROUTES, slot);
    return this.namespace.until(read, holds);
  }

  /** Waits until the model serves the slot. */
  answers(slot: string, model: string): Promise<InferenceRoute> {
    return this.routeIs(slot, ({ status }) => status?.active?.model === model);
  }

  modelIs(name: string, holds: (model: InferenceModel) => boolean): Promise<InferenceModel> {
    const read = () => this.namespace.read<InferenceModel>(INFERENCE_MODELS, name);
    return this.namespace.until(read, holds);
  }

  /** Merges a change into an object, as `kubectl patch` does. */
  async patch(kind: string, name: string, change: object): Promise<void> {
    const text = JSON.stringify(change);
    await this.namespace.kubectl('patch', kind, name, '--type=merge', '--patch', text);
  }

  async enrollAda(): Promise<void> {
    const file = await drawPhoto({ faces: ['Ada'] });
    ok(await this.client.enrollFace({ body: { name: 'Ada', file } }));
  }

  /** Runs work while four callers send requests, none of which may fail. Ada must be enrolled. */
  async underLoad(work: () => Promise<unknown>): Promise<void> {
    const stop = new AbortController();
    const asking = Promise.all([1, 2, 3, 4].map(() => this.#ask(stop.signal)));
    try {
      await Promise.race([asking, work()]);
    } finally {
      stop.abort();
    }
    await asking;
  }

  /**
   * Uninstalls the release if it still exists, because its cluster-scoped objects would be in the way of the next
   * release.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.namespace.helm('uninstall', this.name, '--ignore-not-found', '--wait');
    // Helm finds no release to uninstall if the namespace was deleted first, so the cluster-scoped objects are
    // deleted here.
    const labels = `app.kubernetes.io/part-of=sightline,app.kubernetes.io/instance=${this.name}`;
    await this.namespace.kubectl('delete', OF_THE_CLUSTER.join(), `--selector=${labels}`);
    await this.#resources.disposeAsync();
  }

  #values() {
    return {
      global: { image: IMAGE },
      networkPolicy: {
        ...NETWORK_OF_NODE,
        modelSources: { to: [{ podSelector: { matchLabels: { app: SOURCE_POD } } }] },
      },
      operator: { networkPolicy: NETWORK_OF_NODE },
      // Without Kafka, events come from the database. Without Qdrant, API pods also do the
      // background work.
      vectors: { kind: this.#hasQdrant ? 'qdrant' : 'embedded' },
      quickstart: {
        ...STORES,
        kafka: { enabled: false },
        ...(this.#hasQdrant && { qdrant: { image: 'docker.io/library/qdrant:e2e' } }),
      },
      api: { replicas: 2, resources: POD },
      models: {
        'starter-faces': null,
        'starter-objects': null,
        faces: { ...this.modelOf(FACES.faces, 'Face'), runtime: { device: 'CPU', resources: POD } },
        others: { ...this.modelOf(FACES.others, 'Face'), podsOf: 'faces' },
        objects: { ...this.modelOf(TOY_PACKS.object, 'Object'), podsOf: 'faces' },
      },
      routes: { face: { defaultModel: 'faces' }, object: { defaultModel: 'objects' } },
    };
  }

  /** Pushes toy packs into the model store, as sites without a network do. */
  async #pushPacks(): Promise<void> {
    const packs = join(this.#folder, 'packs');
    await writeToyPacks(packs);
    await writeOtherToyFaces(packs, FACES.others);
    const names = [...Object.values(FACES), TOY_PACKS.object];
    const child = spawn(
      process.execPath,
      ['apps/models/src/main.ts', 'push', ...names.map((name) => join(packs, name))],
      {
        env: {
          ...process.env,
          SIGHTLINE_S3_ENDPOINT: `http://${await this.s3Address()}:9000`,
          SIGHTLINE_S3_BUCKET: 'sightline',
          SIGHTLINE_S3_ACCESS_KEY: await this.secret('access-key-id'),
          SIGHTLINE_S3_SECRET_KEY: await this.secret('secret-access-key'),
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const [said, [code]] = await Promise.all([
      text(child.stdout),
      once(child, 'close') as Promise<[number | null]>,
    ]);
    assert.equal(code, 0);
    for (const [, name, revision] of said.matchAll(/^(\S+) ([0-9a-f]{64})$/gm)) {
      this.revisions.set(name!, revision!);
    }
    assert.deepEqual([...this.revisions.keys()].sort(), names.toSorted());
  }

  /** Sets `client`. */
  async connect(): Promise<void> {
    const { namespace, name } = this;
    const command = ['/app/node', 'apps/cli/src/main.ts', 'key', 'create', '--admin'];
    const said = await namespace.kubectl(
      'exec',
      `deployment/${name}-api`,
      '-c',
      'api',
      '--',
      ...command,
    );
    this.#apiKey = /sightline_\w+/.exec(said)![0];
    const { spec } = await namespace.get<{ readonly spec: { readonly clusterIP: string } }>(
      'service',
      `${name}-api`,
    );
    this.#client = this.clientAt(`http://${spec.clusterIP}`);
  }

  /**
   * Sends requests until the signal aborts and the least number is reached. Every answer must name
   * Ada, who would not match a vector of another model.
   */
  async #ask(stop: AbortSignal): Promise<void> {
    const file = await drawPhoto({ faces: ['Ada 2'] });
    for (let answered = 0; !stop.aborted || answered < ENOUGH; answered++) {
      const { faces } = ok(await this.client.identifyFaces({ body: { file } }));
      assert.deepEqual(
        faces.map(({ label }) => label),
        ['Ada'],
      );
      await sleep(PAUSE_MS);
    }
  }
}

async function untilItAnswers(client: Client): Promise<void> {
  const isAnswer = () =>
    client.listModels({}).then(
      ({ status }) => status === 200,
      () => false,
    );
  while (!(await isAnswer())) await sleep(300);
}
