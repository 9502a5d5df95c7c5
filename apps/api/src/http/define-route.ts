import type {
  BodyContract,
  EnvironmentRight,
  RequestContract,
  ResponseContract,
  RouteContract,
} from '@sightline/contracts/define-contract';
import type { Caller } from '@sightline/core/access/caller';
import type { Session } from '@sightline/core/accounts/session-authenticator';
import type { Settle } from '@sightline/core/database/database';
import type { Actor } from '@sightline/core/store/actor';
import type { Scope } from '@sightline/core/store/scope';
import type { Base64Text } from '@sightline/platform/http/base64-text';
import type { UploadedFile } from '@sightline/platform/http/read-multipart';
import type { z } from 'zod';
import type { Visitor } from '../auth/authorizer.ts';
import type { ApiContext } from '../context/api-context.ts';
import type { IdStream } from './id-stream.ts';
import type { ItemStream } from './item-stream.ts';
import type { ResultStream } from './result-stream.ts';
import type { SerializedDocument } from '../context/serialized-document.ts';

/** A contract and its implementation, in the types that the router needs. */
export interface Route<C extends RouteContract = RouteContract> {
  readonly contract: C;
  /** How a multipart body is received; required if the contract takes one. */
  readonly upload?: Upload;
  analyzesAtOnce?(query: unknown): boolean;
  createsJob?(query: unknown): boolean;
  handler(context: ApiContext, request: ValidRequest): Answer | Promise<Answer>;
}

export type RoutesOf<Contracts extends Readonly<Record<string, RouteContract>>> = {
  readonly [Operation in keyof Contracts]: Route<Contracts[Operation]>;
};

type Responses = RouteContract['responses'];

interface Implementation<C extends RouteContract, R extends Responses> {
  readonly upload?: Upload;
  /**
   * Whether the request analyzes one stored image before it answers. While the queue is full, such a request is refused
   * at once.
   */
  analyzesAtOnce?(query: Output<C['request']['query']>): boolean;
  /**
   * Whether the request stores its upload for a job. If there is no room for another job, such a request is refused
   * before its body is received.
   */
  createsJob?(query: Output<C['request']['query']>): boolean;
  handler(
    context: ApiContext,
    request: RouteRequest<C, R>,
  ): RouteAnswer<R> | Promise<RouteAnswer<R>>;
}

export interface Upload {
  /**
   * `memory`: one or two images, which are analyzed at once. `disk`: a batch. `archive`: a file that may be larger than
   * all batches, limited by the free disk space.
   */
  readonly files: 'memory' | 'disk' | 'archive';
  readonly maxFiles: number;
  /** The limit of one text field that is not an image, in bytes. */
  readonly maxFieldBytes: number;
  /** The time limit in ms, from the first byte of the request to the last byte of its body. */
  readonly timeoutMs: number;
  /** The limit of one file, and roughly of the whole form, in bytes; if absent, the limit of an image. */
  readonly maxFileBytes?: (
    context: ApiContext,
    scope: Scope,
    signal: AbortSignal,
  ) => Promise<number>;
}

/** A request that waits for a change. */
export interface Parked {
  /**
   * Checks that the caller is still the same and still has the right. A waiting request checks this every few seconds and
   * before its answer.
   *
   * @throws the errors of {@link Authorizer.authorize}
   */
  requireCaller(): Promise<void>;
}

export interface ValidRequest {
  readonly path: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: RequestBody | undefined;
  readonly visitor: Visitor;
  /** Undefined if the request is not for an environment. */
  readonly caller: Caller | undefined;
  /** The environment of the caller; undefined without a caller. */
  readonly scope: Scope | undefined;
  /** The sender, for the audit. */
  readonly actor: Actor;
  /** The session of the account that is signed in. */
  readonly session: Session | undefined;
  readonly requestId: string;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /**
   * Makes the request one that waits for a change, which no longer counts as one in progress. Returns null if there is no
   * room, so that the request has to be answered at once.
   */
  park(): Parked | null;
  /**
   * Returns a function that stores the answer in the transaction of its effect, so that a retry with the same
   * `Idempotency-Key` gets that answer. Returns undefined if the request has no such key.
   */
  settle<Result>(present: (result: Result) => Answer): Settle<Result> | undefined;
}

interface RouteRequest<C extends RouteContract, R extends Responses> extends ValidRequest {
  readonly path: Output<C['request']['path']>;
  readonly query: Output<C['request']['query']>;
  readonly headers: Output<C['request']['headers']>;
  readonly body: BodyOf<C['request']>;
  readonly caller: OfEnvironment<C, Caller>;
  readonly scope: OfEnvironment<C, Scope>;
  readonly session: C['right'] extends 'signed-in' | 'account' | 'administrator'
    ? Session
    : Session | undefined;
  settle<Result>(present: (result: Result) => RouteAnswer<R>): Settle<Result> | undefined;
}

/** A member that requests for environments have. Those of administrators for the installation lack it. */
type OfEnvironment<C extends RouteContract, T> = C['right'] extends EnvironmentRight
  ? T | (C extends { readonly installation: object } ? undefined : never)
  : undefined;

type Output<T> = T extends z.ZodType ? z.output<T> : undefined;

type BodyOf<Q extends RequestContract> = Q extends { readonly body: infer B extends BodyContract }
  ? RequestBody<z.output<B['fields']>>
  : undefined;

export interface RequestBody<F = Readonly<Record<string, unknown>>> {
  readonly fields: F;
  readonly files: readonly UploadedFile[];
  /** The images in base64, by their paths, such as `images.3.image_base64`. `fields` does not contain them. */
  readonly texts: ReadonlyMap<string, Base64Text>;
}

/** The headers of an answer; a header with several values is sent several times. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

export interface Answer {
  readonly status: number;
  /** A JSON value, a text, a serialized document, a stream of bytes, or a stream of the items of a list. */
  readonly body: unknown;
  readonly headers?: AnswerHeaders;
}

type RouteAnswer<R extends Responses> = {
  [Status in keyof R & number]: {
    readonly status: Status;
    readonly body: Sent<R[Status]>;
    readonly headers?: AnswerHeaders;
  };
}[keyof R & number];

/**
 * The body that a handler returns for a response. Files and lists may be streams; a document that never changes is
 * serialized once.
 */
type Sent<R extends ResponseContract> =
  | Streamable<z.input<R['schema']>>
  | SerializedDocument<z.input<R['schema']>>
  | (R extends { readonly file: object } ? ReadableStream<Uint8Array> : never);

type Streamable<T> = T extends File
  ? ReadableStream<Uint8Array>
  : T extends { items: (infer Item)[] }
    ? T | ItemStream<Item, Omit<T, 'items' | 'next_cursor' | 'has_more'>>
    : T extends { ids: number[] }
      ? T | IdStream
      : T extends { results: unknown[] }
        ? T | ResultStream
        : T;

/** Makes the types of the contract the types of the handler's request and answer. */
export function defineRoute<C extends RouteContract, const R extends Responses>(
  contract: C & { readonly responses: R },
  implementation: Implementation<NoInfer<C>, NoInfer<R>>,
): Route<C> {
  return { contract, ...implementation };
}
