import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Photo } from './photos.ts';
import {
  photosOf,
  type Run,
  type RunResult,
  type Workload,
  type WorkloadName,
  WORKLOADS,
} from './workloads.ts';

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
        const base = this.#urls[index % this.#urls.length]!;
        const findings = await this.#send(base, requests[index % requests.length]!);
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
      this.#photos.map((_, index) => prepare(workload, photosOf(workload, this.#photos, index))),
    );
    this.#prepared.set(workload, prepared);
    return prepared;
  }

  /**
   * Floods the service with the first photo: the loops go on at once after a refusal.
   *
   * @returns the numbers of sent and of accepted requests
   */
  async flood(name: WorkloadName, loops: number, signal: AbortSignal) {
    const [request] = await this.#requests(WORKLOADS[name]);
    const counts = { sent: 0, accepted: 0 };
    const loop = async (): Promise<void> => {
      while (!signal.aborted) {
        const { status } = await this.#post(this.#urls[0]!, request!).catch(() => ({ status: 0 }));
        counts.sent++;
        if (status === 200) counts.accepted++;
      }
    };
    await Promise.all(Array.from({ length: loops }, loop));
    return counts;
  }

  async #send(base: string, prepared: PreparedRequest): Promise<number> {
    const { status, text } = await this.#post(base, prepared);
    if (status !== 200) throw new Error(`${prepared.path} answers ${text}`);
    return found(JSON.parse(text) as Answer);
  }

  async #post(base: string, { path, headers, body, nonceAt }: PreparedRequest) {
    const sent = request(new URL(path, base), {
      method: 'POST',
      agent: this.#agent,
      headers: { ...headers, 'X-API-Key': this.#apiKey },
    });
    sent.end(nonceAt === null ? body : withNonce(body, nonceAt));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: response.statusCode!, text: (await buffer(response)).toString() };
  }
}

/** The number of faces and objects in an answer. */
function found({ counts, faces, face1, face2 }: Answer): number {
  if (counts !== undefined) return counts.faces + counts.objects;
  return faces?.length ?? face1!.count + face2!.count;
}

function withNonce(body: Uint8Array, nonceAt: number): Uint8Array {
  const changed = body.slice();
  changed.set(randomBytes(NONCE.length), nonceAt);
  return changed;
}

async function prepare(
  { endpoint: path, fields, fresh }: Workload,
  photos: readonly Photo[],
): Promise<PreparedRequest> {
  const form = new FormData();
  for (const [index, { name, bytes }] of photos.entries()) {
    form.set(fields[index]!, new File(fresh ? [bytes.slice(), NONCE] : [bytes.slice()], name));
  }
  const encoded = new Response(form);
  const body = new Uint8Array(await encoded.arrayBuffer());
  const headers = {
    'Content-Type': encoded.headers.get('content-type')!,
    'Content-Length': body.length,
  };
  return { path, headers, body, nonceAt: fresh ? Buffer.from(body).indexOf(NONCE) : null };
}
