import { createHash } from 'node:crypto';
import { rawZip } from '@sightline/archive-zip/zip-reading/testing/raw-zip';
import { Client } from 'minio';
import { zipOfToyFaces } from '../fixtures/published-pack.ts';
import { type Quickstart, SOURCE_POD } from './quickstart.ts';
import { startScriptPod } from './script-pod.ts';

const BUCKET = 'sources';
const PORT = 8080;

/** The name of a Secret with the keys of the S3. `WRONG_KEYS` has a wrong key. */
const KEYS = 'source-keys';
const WRONG_KEYS = 'wrong-keys';

export interface BadSource {
  readonly source: object;
  readonly task?: 'Face' | 'Object';
  readonly revision?: string;
  readonly reason: string;
  readonly message: RegExp;
}

/** Packs in a bucket of the quickstart's S3, and a server whose answers are incomplete. */
export class SourceOfPacks {
  /** The digest of the valid archive. */
  readonly sha256: string;
  readonly #endpoint: string;

  private constructor(sha256: string, endpoint: string) {
    this.sha256 = sha256;
    this.#endpoint = endpoint;
  }

  static async fill(quickstart: Quickstart): Promise<SourceOfPacks> {
    const sound = Buffer.from(await zipOfToyFaces('from-a-bucket'));
    const flipped = Buffer.from(sound);
    flipped[sound.length >> 1]! ^= 1;
    const onePart = (name: string, more: object = {}) =>
      Buffer.from(rawZip([{ name, data: Buffer.from('x'), ...more }]));
    const bomb = { data: Buffer.alloc(64 * 1024 ** 2), isDeflated: true, claims: { size: 10 } };
    await putObjects(quickstart, {
      'faces.zip': sound,
      'flipped.zip': flipped,
      'text.zip': Buffer.from('no archive'),
      'slip.zip': onePart('../detector.onnx'),
      'bomb.zip': onePart('detector.onnx', bomb),
      'empty.zip': onePart('readme.txt'),
      'graph.zip': onePart('detector.onnx'),
    });
    await addSecrets(quickstart);
    await startBadServer(quickstart);
    const sha256 = createHash('sha256').update(sound).digest('hex');
    return new SourceOfPacks(sha256, `http://${quickstart.name}-s3:9000`);
  }

  /**
   * Returns a source that names an object of the bucket.
   * @param keys the name of the Secret; null for no credentials
   */
  object(key: string, more: object = {}, keys: string | null = KEYS): object {
    return {
      s3: { endpoint: this.#endpoint, bucket: BUCKET, key },
      ...(keys !== null && { credentialsSecret: { name: keys } }),
      ...more,
    };
  }

  /** Returns bad sources by the names of their models. */
  bad(): Readonly<Record<string, BadSource>> {
    const { sha256 } = this;
    const http = (url: string) => ({ http: { url } });
    const wrong = 'f'.repeat(64);
    return {
      flipped: bad(this.object('flipped.zip', { sha256 }), 'DigestMismatch', /instead of/),
      'wrong-digest': bad(
        this.object('faces.zip', { sha256: wrong }),
        'DigestMismatch',
        /instead of f{64}/,
      ),
      'wrong-revision': {
        ...bad(this.object('faces.zip'), 'RevisionMismatch', /instead of f{64}/),
        revision: wrong,
      },
      'not-there': bad(this.object('nothing.zip'), 'NotFound', /no such object/),
      'not-there-by-http': bad(
        http(`${this.#endpoint}/${BUCKET}/faces.zip`),
        'AccessDenied',
        /responded with status 403/,
      ),
      'wrong-keys': bad(this.object('faces.zip', {}, WRONG_KEYS), 'AccessDenied', /./),
      'at-metadata': bad(http('http://169.254.169.254/latest'), 'AccessDenied', /not allowed/),
      'too-large': bad(this.object('faces.zip', { sizeBytes: 100 }), 'TooLarge', /100 bytes/),
      text: bad(this.object('text.zip'), 'ArchiveInvalid', /neither a ZIP/),
      slip: bad(this.object('slip.zip'), 'ArchiveInvalid', /refused/),
      bomb: bad(this.object('bomb.zip'), 'ArchiveInvalid', /refused/),
      empty: bad(this.object('empty.zip'), 'PackRefused', /./),
      graph: bad(this.object('graph.zip'), 'PackRefused', /./),
      'other-task': {
        ...bad(this.object('faces.zip'), 'TaskMismatch', /task face instead of object/),
        task: 'Object',
      },
      lies: bad(http(`http://${SOURCE_POD}:${PORT}/lies.zip`), 'SourceUnreachable', /bad-server/),
      nobody: bad(http('http://nobody-is-here/a.zip'), 'SourceUnreachable', /nobody-is-here/),
    };
  }

  /** Returns a source that sends the beginning of an archive and then stalls. */
  stalling(): object {
    return { http: { url: `http://${SOURCE_POD}:${PORT}/stalls.zip` } };
  }
}

function bad(source: object, reason: string, message: RegExp): BadSource {
  return { source, reason, message };
}

/** Returns a Secret with the keys of a source. */
export function sourceKeys(name: string, keys: Readonly<Record<string, string>>): object {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData: keys };
}

async function addSecrets(quickstart: Quickstart): Promise<void> {
  const { namespace } = quickstart;
  const accessKey = await quickstart.secret('access-key-id');
  const secretKey = await quickstart.secret('secret-access-key');
  await namespace.apply(sourceKeys(KEYS, { accessKey, secretKey }));
  await namespace.apply(sourceKeys(WRONG_KEYS, { accessKey, secretKey: `${secretKey}-not` }));
}

async function putObjects(
  quickstart: Quickstart,
  objects: Readonly<Record<string, Buffer>>,
): Promise<void> {
  const client = new Client({
    endPoint: await quickstart.s3Address(),
    port: 9000,
    useSSL: false,
    accessKey: await quickstart.secret('access-key-id'),
    secretKey: await quickstart.secret('secret-access-key'),
  });
  await client.makeBucket(BUCKET);
  for (const [key, bytes] of Object.entries(objects)) await client.putObject(BUCKET, key, bytes);
}

/** The script of a server that ends each answer early, or never ends it. */
const BAD_SERVER = `import('node:http').then(({ createServer }) => createServer((request, response) => {
  response.writeHead(200, { 'content-length': 1000000 });
  response.write('PK\\u0003\\u0004', () => request.url === '/lies.zip' && response.destroy());
}).listen(${PORT}))`;

async function startBadServer({ namespace }: Quickstart): Promise<void> {
  const ports = [{ port: PORT }];
  await namespace.apply({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: SOURCE_POD },
    spec: { selector: { app: SOURCE_POD }, ports },
  });
  await startScriptPod(namespace, { name: SOURCE_POD, script: BAD_SERVER, port: PORT });
}
