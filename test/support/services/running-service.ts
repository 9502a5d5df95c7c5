import { type Client, createClient } from '@sightline/contracts/client';
import { STARTER_CACHE } from '../fixtures/starter-cache-folder.ts';
import { toyPacksFolder } from '../fixtures/toy-packs-folder.ts';

/** A running Sightline of one or several processes. */
export interface RunningService extends AsyncDisposable {
  /**
   * The URL of an API process. If there are several processes, each read returns the URL of the
   * next one.
   */
  readonly url: string;
  /** A key with every right in its environment. */
  readonly apiKey: string;
  /** A client with the key `apiKey`. */
  readonly client: Client;
  /** Everything that was written to stdout so far, one line per item. */
  readonly log: readonly string[];
  /** Requests a path of the API, with the service's key unless the headers have another key. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  /** Runs the `sightline` command with the service's settings, and returns the command's output. */
  readonly sightline: (...args: string[]) => Promise<string>;
  readonly createKey: (options: KeyOptions) => Promise<CreatedKey>;
  readonly clientWith: (key: string) => Client;
  /** Returns a client with a new key. */
  readonly clientOf: (options: KeyOptions) => Promise<Client>;
  /** Returns what `sightline check --deep` finds when all changes have been followed. */
  readonly inconsistencies: () => Promise<readonly string[]>;
}

/** How often the rows are checked until all changes have been followed. Each check waits some seconds for them. */
const CHECKS = 6;

interface CheckReport {
  readonly findings: readonly string[];
  readonly not_compared: readonly unknown[];
}

export interface KeyOptions {
  /**
   * The name of the key's environment, which is created if it does not exist. By default it is the
   * environment of the service's key.
   */
  readonly environment?: string;
  readonly right: 'full' | 'read';
}

export interface CreatedKey {
  readonly id: number;
  readonly key: string;
}

export interface ServiceAccess {
  /** The URLs of the processes that answer requests. */
  readonly urls: readonly string[];
  readonly apiKey: string;
  /** The name of the key's environment. */
  readonly environment?: string;
  readonly log: () => readonly string[];
  readonly sightline: RunningService['sightline'];
}

/** The methods of a service that tests use, however the service was started. */
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

  readonly createKey = async ({ environment, right }: KeyOptions): Promise<CreatedKey> => {
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

  readonly clientOf = async (options: KeyOptions): Promise<Client> =>
    this.clientWith((await this.createKey(options)).key);

  readonly inconsistencies = async (): Promise<readonly string[]> => {
    for (let attempts = 0; attempts < CHECKS; attempts++) {
      const json = await this.sightline('check', '--deep', '--json');
      const { findings, not_compared: others } = JSON.parse(json) as CheckReport;
      if (findings.length > 0 || others.length === 0) return findings;
    }
    throw new Error('The similarity of faces is still being followed.');
  };
}

/**
 * Returns the environment variables of a child process: this machine's, without the caller's
 * settings of Sightline. By default the models are the toy packs, in one thread.
 */
export function childEnvironment(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('SIGHTLINE_'));
  return {
    ...Object.fromEntries(inherited),
    SIGHTLINE_PORT: '0',
    SIGHTLINE_OPS_PORT: '0',
    // No load balancer needs time to notice that the process stops.
    SIGHTLINE_DRAIN_SECONDS: '0',
    SIGHTLINE_MODELS_DIR: settings.SIGHTLINE_MODELS_DIR ?? toyPacksFolder(),
    SIGHTLINE_WORKERS: '1',
    // Otherwise the process would find starter packs in the cache of the user who runs the tests.
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
