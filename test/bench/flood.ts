import { Agent, request } from 'node:http';
import type { LoadedService } from './load-generator.ts';
import type { Photo } from './photos.ts';

/** Loops of one tenant that post photos, and go on at once after a refusal. */
export class Flood implements AsyncDisposable {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #loops: readonly Promise<void>[];
  #isOver = false;
  /** The number of answers by status; 0 for a broken connection. */
  readonly answers = new Map<number, number>();

  private constructor(service: LoadedService, form: PreparedForm, loops: number) {
    this.#loops = Array.from({ length: loops }, () => this.#loop(service, form));
  }

  /** @param options.path of the endpoint that gets the photo */
  static async start(
    service: LoadedService,
    photo: Photo,
    { path, loops }: { readonly path: string; readonly loops: number },
  ): Promise<Flood> {
    const form = new FormData();
    form.set('file', new File([photo.bytes.slice()], photo.name));
    const encoded = new Response(form);
    const type = encoded.headers.get('content-type')!;
    const body = new Uint8Array(await encoded.arrayBuffer());
    return new Flood(service, { path, type, body }, loops);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#loops);
    this.#agent.destroy();
  }

  async #loop({ urls, apiKey }: LoadedService, form: PreparedForm): Promise<void> {
    const url = new URL(form.path, urls[0]);
    const headers = {
      'X-API-Key': apiKey,
      'Content-Type': form.type,
      'Content-Length': form.body.length,
    };
    while (!this.#isOver) {
      const status = await this.#post(url, headers, form.body);
      this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
    }
  }

  #post(
    url: URL,
    headers: Readonly<Record<string, string | number>>,
    body: Uint8Array,
  ): Promise<number> {
    return new Promise((resolve) => {
      const sent = request(url, { method: 'POST', agent: this.#agent, headers });
      sent.on('error', () => resolve(0));
      sent.on('response', (response) => {
        response.on('error', () => resolve(0));
        response.on('end', () => resolve(response.statusCode!)).resume();
      });
      sent.end(body);
    });
  }
}

interface PreparedForm {
  readonly path: string;
  readonly type: string;
  readonly body: Uint8Array;
}
