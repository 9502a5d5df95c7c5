import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Photo } from './photos.ts';
import { photosOf, type Run, type RunResult, type Workload, WORKLOADS } from './workloads.ts';

interface ServedRun extends Run {
  /** Requests in flight. */
  readonly concurrency: number;
}

/** A request that is sent repeatedly. */
interface PreparedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Uint8Array;
  /** The offset of the bytes that make each image a new one; null: the image stays the same. */
  readonly nonceAt: number | null;
}

/** A placeholder after the end of a picture, where decoders do not look. Random bytes replace it in each request. */
const NONCE = Buffer.from('sightline-bench!');

/** The members of an answer that count what was found. */
interface Answer {
  readonly counts?: { readonly faces: number; readonly objects: number };
  readonly faces?: readonly unknown[];
  readonly face1?: { readonly count: number };
  readonly face2?: { readonly count: number };
}

export interface ServedResult extends RunResult {
  /**
   * The time in which all clients were busy. It ends when the first client has nothing left to send, because
   * the rest depends more on the order of the last requests than on the speed of the service.
   */
  readonly saturated: {
    /** The number of requests that had ended by then. */
    readonly operations: number;
    readonly seconds: number;
  };
}

/** A service under load, of one process or several equal ones. */
export interface LoadedService {
  /** The URLs of its processes, which get requests in turn. */
  readonly urls: readonly string[];
  readonly apiKey: string;
}

/** Sends the work of the bare loop to a service over persistent connections. */
export class LoadGenerator implements Disposable {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #urls: readonly string[];
  readonly #apiKey: string;
  readonly #photos: readonly Photo[];
  readonly #prepared = new Map<Workload, Promise<PreparedRequest[]>>();

  constructor({ urls, apiKey }: LoadedService, photos: readonly Photo[]) {
    this.#urls = urls;
    this.#apiKey = apiKey;
    this.#photos = photos;
  }

  async run({
    workload: name,
    first = 0,
    operations,
    concurrency,
  }: ServedRun): Promise<ServedResult> {
    const requests = await this.#requests(WORKLOADS[name]);
    const milliseconds: number[] = [];
    let next = first;
    const end = first + operations;
    let total = 0;
    const start = performance.now();
    const secondsSoFar = (): number => (performance.now() - start) / 1000;
    let saturated: ServedResult['saturated'] | null = null;
    const client = async (): Promise<void> => {
      for (let index = next++; index < end; index = next++) {
        const sent = performance.now();
        const findings = await this.#send(
          this.#urls[index % this.#urls.length]!,
          requests[index % requests.length]!,
        );
        total += findings;
        milliseconds.push(performance.now() - sent);
      }
      saturated ??= { operations: milliseconds.length, seconds: secondsSoFar() };
    };
    await Promise.all(Array.from({ length: concurrency }, client));
    return { seconds: secondsSoFar(), milliseconds, found: total, saturated: saturated! };
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  #requests(workload: Workload): Promise<PreparedRequest[]> {
    const known = this.#prepared.get(workload);
    if (known !== undefined) return known;
    const prepared = Promise.all(
      this.#photos.map((_, index) => prepare(workload, fieldsOf(workload, this.#photos, index))),
    );
    this.#prepared.set(workload, prepared);
    return prepared;
  }

  async #send(base: string, { path, headers, body, nonceAt }: PreparedRequest): Promise<number> {
    const sent = request(new URL(path, base), {
      method: 'POST',
      agent: this.#agent,
      headers: { ...headers, 'X-API-Key': this.#apiKey },
    });
    sent.end(nonceAt === null ? body : withNonce(body, nonceAt));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const text = (await buffer(response)).toString();
    if (response.statusCode !== 200) throw new Error(`${path} answers ${text}`);
    return found(JSON.parse(text) as Answer);
  }
}

/** The number of faces and objects in an answer. */
function found({ counts, faces, face1, face2 }: Answer): number {
  if (counts !== undefined) return counts.faces + counts.objects;
  return faces?.length ?? face1!.count + face2!.count;
}

function fieldsOf(
  workload: Workload,
  photos: readonly Photo[],
  operation: number,
): (readonly [string, Photo])[] {
  const chosen = photosOf(workload, photos, operation);
  return workload.fields.map((field, index) => [field, chosen[index]!]);
}

function withNonce(body: Uint8Array, nonceAt: number): Uint8Array {
  const changed = body.slice();
  changed.set(randomBytes(NONCE.length), nonceAt);
  return changed;
}

async function prepare(
  { endpoint: path, fresh }: Workload,
  fields: readonly (readonly [string, Photo])[],
): Promise<PreparedRequest> {
  const form = new FormData();
  for (const [field, { name, bytes }] of fields) {
    form.set(field, new File(fresh ? [bytes.slice(), NONCE] : [bytes.slice()], name));
  }
  const encoded = new Response(form);
  const body = new Uint8Array(await encoded.arrayBuffer());
  const headers = {
    'Content-Type': encoded.headers.get('content-type')!,
    'Content-Length': body.length,
  };
  return { path, headers, body, nonceAt: fresh ? Buffer.from(body).indexOf(NONCE) : null };
}
