import { type Client, createClient } from '@sightline/contracts/client';
import { STARTER_CACHE } from '../fixtures/starter-cache-folder.ts';
import { toyPacksFolder } from '../fixtures/toy-packs-folder.ts';

/** A Sightline of one process or several. */
export interface RunningService extends AsyncDisposable {
  /** Where an API answers; of several processes another one each time. */
  readonly url: string;
  /** A key with every right in its environment. */
  readonly apiKey: string;
  /** With that key. */
  readonly client: Client;
  /** Everything that was written to stdout so far, a line each. */
  readonly log: readonly string[];
  /** A path of the API, with the service's key unless the headers have another. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  /** Runs the `sightline` command with the service's settings; answers what it prints. */
  readonly sightline: (...args: string[]) => Promise<string>;
  readonly createKey: (wanted: WantedKey) => Promise<CreatedKey>;
  readonly clientWith: (key: string) => Client;
  /** A client with a key of its own. */
  readonly clientOf: (wanted: WantedKey) => Promise<Client>;
  /** What `sightline check` finds. */
  readonly inconsistencies: () => Promise<readonly string[]>;
}

export interface WantedKey {
  /** By name; it is created if there is none. That of the service's key if absent. */
  readonly environment?: string;
  readonly right: 'full' | 'read';
}

export interface CreatedKey {
  readonly id: number;
  readonly key: string;
}

/** How to talk to a service that runs. */
export interface ServiceAccess {
  /** Of the processes that answer. */
  readonly urls: readonly string[];
  readonly apiKey: string;
  /** Name of the key's environment. */
  readonly environment?: string;
  readonly log: () => readonly string[];
  readonly sightline: RunningService['sightline'];
}

/** What a test does with a service, however it was started. */
export class ServiceClient implements Omit<RunningService, keyof AsyncDisposable> {
  readonly client: Client;
  readonly #access: ServiceAccess;
  #turn = 0;

  constructor(access: ServiceAccess) {
    this.#access = access;
    this.client = this.clientWith(access.apiKey);
  }

  get url(): string {
    const { urls } = this.#access;
    return urls[this.#turn++ % urls.length]!;
  }

  get apiKey(): string {
    return this.#access.apiKey;
  }

  get log(): readonly string[] {
    return this.#access.log();
  }

  readonly fetch = (path: string, init?: RequestInit): Promise<Response> =>
    fetch(this.url + path, { ...init, headers: withKey(init?.headers, this.apiKey) });

  readonly sightline = (...args: string[]): Promise<string> => this.#access.sightline(...args);

  readonly createKey = async ({ environment, right }: WantedKey): Promise<CreatedKey> => {
    const name = environment ?? this.#access.environment ?? 'default';
    const args = ['--environment', name, '--right', right, '--json'];
    return JSON.parse(await this.sightline('key', 'create', ...args)) as CreatedKey;
  };

  readonly clientWith = (apiKey: string): Client => {
    const [baseUrl] = this.#access.urls as [string];
    return createClient({
      baseUrl,
      apiKey,
      fetch: (input, init) => fetch((input as string).replace(baseUrl, this.url), init),
    });
  };

  readonly clientOf = async (wanted: WantedKey): Promise<Client> =>
    this.clientWith((await this.createKey(wanted)).key);

  readonly inconsistencies = async (): Promise<readonly string[]> =>
    JSON.parse(await this.sightline('check', '--json')) as string[];
}

/**
 * The environment of a child: this machine's, without settings that leaked in from outside. Its models
 * are the toy packs, in one thread, unless the settings say otherwise.
 */
export function childEnvironment(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('SIGHTLINE_'));
  return {
    ...Object.fromEntries(inherited),
    SIGHTLINE_PORT: '0',
    SIGHTLINE_OPS_PORT: '0',
    // Nothing balances the load of a test.
    SIGHTLINE_DRAIN_SECONDS: '0',
    SIGHTLINE_MODELS_DIR: settings.SIGHTLINE_MODELS_DIR ?? toyPacksFolder(),
    SIGHTLINE_WORKERS: '1',
    // What a test does not give is not there, and never the cache of the person who runs the tests.
    SIGHTLINE_STARTER: 'off',
    SIGHTLINE_CACHE: STARTER_CACHE,
    ...settings,
  };
}

function withKey(given: RequestInit['headers'], apiKey: string): Headers {
  const headers = new Headers(given);
  if (!headers.has('x-api-key')) headers.set('x-api-key', apiKey);
  return headers;
}
