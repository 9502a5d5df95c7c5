import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadedService } from './load-generator.ts';
import type { Photo } from './photos.ts';

/** The interval of polls of a job, in ms for each of its images: short compared with an image's analysis. */
const POLL_MS = 10;
const LONGEST_POLL_MS = 200;
const FRESH_BYTES = 16;

interface Job {
  readonly status: 'pending' | 'running' | 'done' | 'failed';
  readonly total: number;
  readonly done: number;
}

/** A job that the service has accepted. Its times begin with the first byte of the request. */
export interface HandedIn {
  /** The seconds until the service had stored the images and answered. */
  readonly handInSeconds: number;
  readonly isOver: () => boolean;
  /** Resolves to the number of seconds until the last image was done. */
  readonly ended: Promise<number>;
}

/** One tenant of a service, which submits images for jobs. */
export class JobClient {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #photos: readonly Photo[];

  constructor({ urls, apiKey }: LoadedService, photos: readonly Photo[]) {
    this.#url = urls[0]!;
    this.#headers = { 'X-API-Key': apiKey };
    this.#photos = photos;
  }

  /**
   * Submits the photos in turn, each as a new image: it appends random bytes after the end of the picture,
   * which decoders ignore.
   */
  async handIn(images: number): Promise<HandedIn> {
    const body = new FormData();
    body.set('type', 'faces');
    for (let index = 0; index < images; index++) {
      const { name, bytes } = this.#photos[index % this.#photos.length]!;
      body.append('file', new File([bytes.slice(), randomBytes(FRESH_BYTES)], name));
    }
    const start = performance.now();
    const secondsSoFar = () => (performance.now() - start) / 1000;
    const { job_id: id } = await this.#ask<{ readonly job_id: number }>(
      '/api/detect/bulk?async=true',
      { method: 'POST', body },
    );
    const handInSeconds = secondsSoFar();
    let isOver = false;
    const ended = this.#end(id).then(() => {
      isOver = true;
      return secondsSoFar();
    });
    return { handInSeconds, isOver: () => isOver, ended };
  }

  /** Submits images, waits for the end of the job, and returns the seconds that all of this took. */
  async run(images: number): Promise<number> {
    return (await this.handIn(images)).ended;
  }

  /** @throws Error if an image failed */
  async #end(id: number): Promise<void> {
    for (;;) {
      const { status, total, done } = await this.#ask<Job>(`/api/jobs/${id}`);
      if (status === 'done' && done === total) return;
      if (status === 'done' || status === 'failed') {
        throw new Error(`The job is ${status} with ${done} of ${total} images.`);
      }
      await sleep(Math.min(POLL_MS * total, LONGEST_POLL_MS));
    }
  }

  async #ask<T>(path: string, init: RequestInit = {}): Promise<T> {
    const response = await fetch(new URL(path, this.#url), { ...init, headers: this.#headers });
    if (!response.ok) throw new Error(`${path} answers ${await response.text()}`);
    return (await response.json()) as T;
  }
}
