import type { Client } from '@sightline/contracts/client';
import { shared } from '../fixtures/shared.ts';
import { STARTER_CACHE } from '../fixtures/starter-cache-folder.ts';

/** A Sightline of a test's own, of one process or several. */
export interface RunningService extends AsyncDisposable {
  /** Where an API answers; of several processes another one each time. */
  readonly url: string;
  /** The first key, an administrator's. */
  readonly apiKey: string;
  /** With the first key. */
  readonly client: Client;
  /** Everything that was written to stdout so far, a line each. */
  readonly log: readonly string[];
  /** A path of the API, with the first key unless the headers have another. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Runs the `sightline` command with the service's settings; answers what it prints. */
  sightline(...words: string[]): Promise<string>;
  createKey(wanted: WantedKey): Promise<{ readonly id: number; readonly key: string }>;
  clientWith(key: string): Client;
  /** A client with a key of its own. */
  clientOf(wanted: WantedKey): Promise<Client>;
  /** What `sightline check` finds. */
  inconsistencies(): Promise<readonly string[]>;
}

export interface WantedKey {
  /** By name; it is created if there is none. */
  readonly environment?: string;
  readonly right: 'full' | 'read';
}

/** The environment of a child: this machine's, without settings that leaked in from outside. */
export function childEnvironment(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('SIGHTLINE_'));
  return {
    ...Object.fromEntries(inherited),
    SIGHTLINE_PORT: '0',
    SIGHTLINE_OPS_PORT: '0',
    SIGHTLINE_MODELS_DIR: shared('packs'),
    // What a test does not give is not there, and never the cache of the person who runs the tests.
    SIGHTLINE_STARTER: 'off',
    SIGHTLINE_CACHE: STARTER_CACHE,
    ...settings,
  };
}

export function withKey(given: RequestInit['headers'], apiKey: string): Headers {
  const headers = new Headers(given);
  if (!headers.has('x-api-key')) headers.set('x-api-key', apiKey);
  return headers;
}
