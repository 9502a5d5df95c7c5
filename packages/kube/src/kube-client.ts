import { Agent, type Dispatcher } from 'undici';
import type { KubeConnection } from './kube-connection.ts';
import { KubeRefusal, KubeUnavailable, toStatus } from './kube-errors.ts';
import {
  apiVersionOf,
  type Collection,
  type KubeObject,
  type ObjectRef,
  pathOf,
} from './kube-object.ts';
import { readLines } from './read-lines.ts';

const REQUEST_MS = 15_000;
/**
 * The timeout of a watch without events, in ms. The API server sends a bookmark event every minute, so a longer silence
 * means that the connection is dead.
 */
const SILENCE_MS = 90_000;
const CONNECT_MS = 5_000;
/**
 * The maximum number of connections for requests, not counting watches. Further requests wait for a free connection.
 */
const CONNECTIONS = 16;
/**
 * The maximum size of a response body. A page of a list has 500 objects of up to 1.5 MiB (the limit of etcd), but
 * most objects are small.
 */
const MAX_BODY_BYTES = 256 * 1024 * 1024;
const MAX_EVENT_BYTES = 16 * 1024 * 1024;
const PAGE = 500;

export interface Selection extends Collection {
  /** A selector such as `app=a,tier!=b`. */
  readonly labelSelector?: string;
  /** A selector such as `metadata.name=a`. */
  readonly fieldSelector?: string;
}

/** Called for each request with the response's HTTP status, or with `<error>` if the API server did not respond. */
export type RequestsObserver = (answer: {
  readonly method: string;
  readonly code: number | '<error>';
}) => void;

export interface ObjectList<T extends KubeObject = KubeObject> {
  /** The version of the list, after which a watch can continue. */
  readonly resourceVersion: string;
  readonly items: readonly T[];
}

export interface WatchEvent<T extends KubeObject = KubeObject> {
  /** The object of a bookmark contains only a resource version. */
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: T;
}

export interface WriteOptions {
  /** The name of the field manager that becomes the owner of the written fields. */
  readonly fieldManager: string;
  /** Whether the server validates the write without storing the object. */
  readonly dryRun?: boolean;
  readonly subresource?: 'status' | 'scale';
}

export interface ApplyOptions extends WriteOptions {
  /**
   * Whether to take fields over from other managers. Without `force`, a field of another manager causes a conflict.
   */
  readonly force?: boolean;
}

export interface DeleteOptions {
  readonly propagationPolicy: 'Background' | 'Foreground' | 'Orphan';
  /** Deletes the object only if it has this uid, so that a new object with the same name is not deleted. */
  readonly uid?: string;
}

interface Request {
  readonly method: Dispatcher.HttpMethod;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | boolean | number | undefined>>;
  readonly body?: object;
  readonly type?: string;
}

export class KubeClient implements AsyncDisposable {
  readonly #connection: KubeConnection;
  readonly #answered: RequestsObserver;
  readonly #agent: Agent;
  /**
   * The connections for watches. They are separate, because long watches would occupy all connections for requests.
   */
  readonly #watches: Agent;

  constructor(connection: KubeConnection, answered: RequestsObserver = () => undefined) {
    this.#connection = connection;
    this.#answered = answered;
    const { ca, certificate } = connection;
    const connect = { timeout: CONNECT_MS, ...(ca !== null && { ca }), ...certificate };
    const options = { connect, headersTimeout: REQUEST_MS };
    this.#agent = new Agent({ ...options, connections: CONNECTIONS, bodyTimeout: REQUEST_MS });
    this.#watches = new Agent({ ...options, bodyTimeout: SILENCE_MS });
  }

  /** @returns null if the object does not exist; @throws KubeRefusal, KubeUnavailable, the signal's reason */
  async get<T extends KubeObject>(ref: ObjectRef, signal: AbortSignal): Promise<T | null> {
    try {
      return (await this.#json({ method: 'GET', path: pathOf(ref) }, signal)) as T;
    } catch (error) {
      if (error instanceof KubeRefusal && error.isNotFound) return null;
      throw error;
    }
  }

  /**
   * Lists all objects of a selection in pages. If the server no longer has the version of the first page, the list is
   * read again without pages.
   *
   * @throws KubeRefusal, KubeUnavailable, the signal's reason
   */
  async list<T extends KubeObject>(
    selection: Selection,
    signal: AbortSignal,
  ): Promise<ObjectList<T>> {
    try {
      return await this.#listPages<T>(selection, PAGE, signal);
    } catch (error) {
      if (!(error instanceof KubeRefusal && error.isExpired)) throw error;
      return this.#listPages<T>(selection, 0, signal);
    }
  }

  /**
   * Yields the changes of a selection's objects after a resource version. Ends when the server closes the watch, which
   * happens after some minutes.
   *
   * @throws KubeRefusal with `isExpired` if the version is too old; KubeUnavailable if the server does not respond or
   *   sends no event for 90 s; the signal's reason
   */
  async *watch<T extends KubeObject>(
    { resourceVersion, ...selection }: Selection & { readonly resourceVersion: string },
    signal: AbortSignal,
  ): AsyncGenerator<WatchEvent<T>, void, undefined> {
    const query = {
      ...queryOf(selection),
      resourceVersion,
      watch: true,
      allowWatchBookmarks: true,
    };
    const request = { method: 'GET', path: pathOf(selection), query } as const;
    let body: Body | null = null;
    try {
      body = await this.#send(this.#watches, request, signal);
      for await (const line of readLines(body, MAX_EVENT_BYTES)) yield toEvent<T>(line);
    } catch (error) {
      throw failureOf(error, signal);
    } finally {
      body?.on('error', () => undefined).destroy();
    }
  }

  /**
   * Applies an object by server-side apply: the field manager becomes the owner of the fields in `object`, and other
   * fields do not change.
   *
   * @returns the stored object
   * @throws KubeRefusal with `isConflict` if another manager owns one of the fields; KubeUnavailable; the signal's
   *   reason
   */
  async apply<T extends KubeObject>(
    ref: ObjectRef,
    { object, ...options }: ApplyOptions & { readonly object: object },
    signal: AbortSignal,
  ): Promise<T> {
    const { force = false } = options;
    const query = { ...writeQuery(options), force };
    const type = 'application/apply-patch+yaml';
    const path = `${pathOf(ref)}${subresourceOf(options)}`;
    return (await this.#json({ method: 'PATCH', path, query, body: object, type }, signal)) as T;
  }

  /**
   * Sends a JSON merge patch, in which null removes a field.
   *
   * @throws KubeRefusal, KubeUnavailable, the signal's reason
   */
  async patch<T extends KubeObject>(
    ref: ObjectRef,
    { patch, ...options }: WriteOptions & { readonly patch: object },
    signal: AbortSignal,
  ): Promise<T> {
    const path = `${pathOf(ref)}${subresourceOf(options)}`;
    const type = 'application/merge-patch+json';
    const request = {
      method: 'PATCH',
      path,
      query: writeQuery(options),
      body: patch,
      type,
    } as const;
    return (await this.#json(request, signal)) as T;
  }

  /** @throws KubeRefusal with `isConflict` if the object exists; KubeUnavailable; the signal's reason */
  async create<T extends KubeObject>(
    collection: Collection,
    { object, ...options }: WriteOptions & { readonly object: object },
    signal: AbortSignal,
  ): Promise<T> {
    const request = { method: 'POST', path: pathOf(collection), body: object } as const;
    return (await this.#json({ ...request, query: writeQuery(options) }, signal)) as T;
  }

  /**
   * Replaces an object if it has not changed since it was read.
   *
   * @param object the new object, with the resource version of the object that was read
   * @throws KubeRefusal with `isConflict` if the object has changed; KubeUnavailable; the signal's reason
   */
  async replace<T extends KubeObject>(
    ref: ObjectRef,
    { object, ...options }: WriteOptions & { readonly object: object },
    signal: AbortSignal,
  ): Promise<T> {
    const path = `${pathOf(ref)}${subresourceOf(options)}`;
    const request = { method: 'PUT', path, query: writeQuery(options), body: object } as const;
    return (await this.#json(request, signal)) as T;
  }

  /** @returns false if the object did not exist; @throws KubeRefusal, KubeUnavailable, the signal's reason */
  async delete(
    ref: ObjectRef,
    { propagationPolicy, uid }: DeleteOptions,
    signal: AbortSignal,
  ): Promise<boolean> {
    const preconditions = uid === undefined ? undefined : { uid };
    const body = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy, preconditions };
    try {
      await this.#json({ method: 'DELETE', path: pathOf(ref), body }, signal);
      return true;
    } catch (error) {
      if (error instanceof KubeRefusal && error.isNotFound) return false;
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#agent.destroy(), this.#watches.destroy()]);
  }

  async #listPages<T extends KubeObject>(
    selection: Selection,
    limit: number,
    signal: AbortSignal,
  ): Promise<ObjectList<T>> {
    const path = pathOf(selection);
    const items: T[] = [];
    for (let next: string | undefined; ;) {
      const query = { ...queryOf(selection), limit: limit || undefined, continue: next };
      const page = (await this.#json({ method: 'GET', path, query }, signal)) as ListPage<T>;
      // The kind and the API version are added, because the API server omits them in the items of a list.
      for (const item of page.items) items.push({ ...item, ...typeOf(selection) });
      next = page.metadata.continue;
      if (!next) return { resourceVersion: page.metadata.resourceVersion, items };
    }
  }

  async #json(request: Request, signal: AbortSignal): Promise<unknown> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]);
    try {
      const body = await this.#send(this.#agent, request, limit);
      return JSON.parse(await readText(body)) as unknown;
    } catch (error) {
      throw failureOf(error, signal);
    }
  }

  /** @returns the body of a successful response; @throws KubeRefusal, errors of the connection */
  async #send(
    agent: Agent,
    { method, path, query = {}, body, type = 'application/json' }: Request,
    signal: AbortSignal,
  ): Promise<Body> {
    const token = await this.#connection.token();
    const text = new URLSearchParams();
    for (const [key, value] of Object.entries(query)) {
      if (value !== undefined) text.set(key, String(value));
    }
    const sent = agent.request({
      origin: this.#connection.server,
      method,
      path: text.size === 0 ? path : `${path}?${text.toString()}`,
      signal,
      headers: {
        accept: 'application/json',
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': type }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const answer = await sent.catch((error: unknown) => {
      this.#answered({ method, code: '<error>' });
      throw error;
    });
    this.#answered({ method, code: answer.statusCode });
    if (answer.statusCode < 300) return answer.body;
    const said = await readText(answer.body);
    throw new KubeRefusal(toStatus(answer.statusCode, said, answer.headers['retry-after']));
  }
}

type Body = Dispatcher.ResponseData['body'];

interface ListPage<T> {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly T[];
}

function queryOf({ labelSelector, fieldSelector }: Selection) {
  return { labelSelector, fieldSelector };
}

function writeQuery({ fieldManager, dryRun = false }: WriteOptions) {
  return { fieldManager, dryRun: dryRun ? 'All' : undefined, fieldValidation: 'Strict' };
}

function subresourceOf({ subresource }: WriteOptions): string {
  return subresource === undefined ? '' : `/${subresource}`;
}

function typeOf({ resource }: Collection) {
  return { apiVersion: apiVersionOf(resource), kind: resource.kind };
}

async function readText(body: Body): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES)
      throw new RangeError(`A response of the API server has more than ${MAX_BODY_BYTES} bytes.`);
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** @throws KubeRefusal for an event of type ERROR, with which the server ends a watch */
function toEvent<T extends KubeObject>(line: string): WatchEvent<T> {
  const event = JSON.parse(line) as
    WatchEvent<T> | { readonly type: 'ERROR'; readonly object: object };
  if (event.type !== 'ERROR') return event;
  const { code = 500 } = event.object as { readonly code?: number };
  throw new KubeRefusal(toStatus(code, JSON.stringify(event.object), undefined));
}

/**
 * @returns the signal's reason after an abort by the caller, a KubeRefusal unchanged, and KubeUnavailable for any other
 *   error
 */
function failureOf(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof KubeRefusal) return error;
  return new KubeUnavailable('The API server did not respond.', { cause: error });
}
