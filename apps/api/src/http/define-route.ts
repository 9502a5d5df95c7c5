import type {
  BodyContract,
  RequestContract,
  ResponseContract,
  RouteContract,
} from '@sightline/contracts/define-contract';
import type { UploadedFile } from '@sightline/platform/http/read-multipart';
import type { z } from 'zod';
import type { ApiContext } from '../api-context.ts';

type Responses = RouteContract['responses'];

/** A contract and what keeps it, as the router sees it. */
export interface Route extends RouteContract {
  /** How a multipart body is received; for contracts that take one. */
  readonly upload?: Upload;
  /** A method, so that handlers of narrower types fit. */
  handler(context: ApiContext, request: ValidRequest): Answer | Promise<Answer>;
}

interface TypedRoute<Q extends RequestContract, R extends Responses> extends RouteContract {
  readonly request: Q;
  readonly responses: R;
  readonly upload?: Upload;
  handler(
    context: ApiContext,
    request: RouteRequest<NoInfer<Q>>,
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
  readonly body: RequestBody | undefined;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
}

interface RouteRequest<Q extends RequestContract> extends ValidRequest {
  readonly path: Output<Q['path']>;
  readonly query: Output<Q['query']>;
  readonly body: Q extends { readonly body: infer B extends BodyContract }
    ? RequestBody<z.output<B['fields']>>
    : undefined;
}

type Output<T> = T extends z.ZodType ? z.output<T> : undefined;

/** Text fields of the form or members of the JSON object, and the files of the form. */
export interface RequestBody<F = Readonly<Record<string, unknown>>> {
  readonly fields: F;
  readonly files: readonly UploadedFile[];
}

export interface Answer {
  readonly status: number;
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

type BodyOf<R> = R extends ResponseContract ? z.input<R['schema']> : never;

/** Ties a handler to the types of its contract. */
export function defineRoute<const Q extends RequestContract, const R extends Responses>(
  route: TypedRoute<Q, R>,
): Route {
  return route;
}
