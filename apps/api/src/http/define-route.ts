import type {
  BodyContract,
  RequestContract,
  RequiredRight,
  ResponseContract,
  RouteContract,
} from '@sightline/contracts/define-contract';
import type { Caller } from '@sightline/core/access/caller';
import type { Settle } from '@sightline/core/database/database';
import type { Scope } from '@sightline/core/store/scope';
import type { UploadedFile } from '@sightline/platform/http/read-multipart';
import type { z } from 'zod';
import type { ApiContext } from '../api-context.ts';
import type { ItemStream } from './item-stream.ts';

type Responses = RouteContract['responses'];

/** A contract and what keeps it, as the router sees it. */
export interface Route extends RouteContract {
  /** How a multipart body is received; for contracts that take one. */
  readonly upload?: Upload;
  /** A method, so that handlers of narrower types fit. */
  handler(context: ApiContext, request: ValidRequest): Answer | Promise<Answer>;
}

interface TypedRoute<
  Q extends RequestContract,
  R extends Responses,
  A extends RequiredRight,
> extends RouteContract {
  readonly right: A;
  readonly request: Q;
  readonly responses: R;
  readonly upload?: Upload;
  handler(
    context: ApiContext,
    request: RouteRequest<NoInfer<Q>, NoInfer<R>, NoInfer<A>>,
  ): RouteAnswer<NoInfer<R>> | Promise<RouteAnswer<NoInfer<R>>>;
}

export interface Upload {
  /** `memory` for one or two images, `disk` for batches. */
  readonly files: 'memory' | 'disk';
  readonly maxFiles: number;
  /** Bytes of one text field. */
  readonly maxFieldBytes: number;
  /** From the head of the request to the last byte of its body. */
  readonly timeoutMs: number;
}

/** The validated input. */
export interface ValidRequest {
  readonly path: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: RequestBody | undefined;
  /** Undefined where no key is needed; so is the scope. */
  readonly caller: Caller | undefined;
  /** The environment of the caller's key. */
  readonly scope: Scope | undefined;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
  /**
   * Ties the answer to the transaction of its effect, for the caller who asks again with the same
   * `Idempotency-Key`; undefined if this one did not send any. `present` makes the answer.
   */
  settle<Result>(present: (result: Result) => Answer): Settle<Result> | undefined;
}

interface RouteRequest<
  Q extends RequestContract,
  R extends Responses,
  A extends RequiredRight,
> extends ValidRequest {
  readonly path: Output<Q['path']>;
  readonly query: Output<Q['query']>;
  readonly headers: Output<Q['headers']>;
  readonly body: Q extends { readonly body: infer B extends BodyContract }
    ? RequestBody<z.output<B['fields']>>
    : undefined;
  readonly caller: A extends 'none' ? undefined : Caller;
  readonly scope: A extends 'none' ? undefined : Scope;
  settle<Result>(present: (result: Result) => RouteAnswer<R>): Settle<Result> | undefined;
}

type Output<T> = T extends z.ZodType ? z.output<T> : undefined;

/** Text fields of the form or members of the JSON object, and the files of the form. */
export interface RequestBody<F = Readonly<Record<string, unknown>>> {
  readonly fields: F;
  readonly files: readonly UploadedFile[];
}

export interface Answer {
  readonly status: number;
  /** A value for JSON, a text, a stream of bytes, or a stream of the items of a list. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

type RouteAnswer<R extends Responses> = {
  [Status in keyof R & number]: {
    readonly status: Status;
    readonly body: BodyOf<R[Status]>;
    readonly headers?: Readonly<Record<string, string>>;
  };
}[keyof R & number];

type BodyOf<R> = R extends ResponseContract ? Sent<z.input<R['schema']>> : never;

/** Files go out as they are read, and lists may. */
type Sent<T> = T extends File
  ? ReadableStream<Uint8Array>
  : T extends { items: (infer Item)[] }
    ? T | ItemStream<Item>
    : T;

/** Ties a handler to the types of its contract. */
export function defineRoute<
  const Q extends RequestContract,
  const R extends Responses,
  const A extends RequiredRight,
>(route: TypedRoute<Q, R, A>): Route {
  return route;
}
