import type { z } from 'zod';
import { API_CONTRACTS } from './api-contracts.ts';
import type {
  BodyContract,
  RequestContract,
  ResponseContract,
  RouteContract,
} from './define-contract.ts';
import { type AnyInput, encodeBody, encodeTarget } from './encode-request.ts';
import { Problem } from './problem.ts';

export interface ClientOptions {
  /** The scheme, host and port of the service, without a trailing slash. */
  readonly baseUrl: string;
  /** The API key for requests whose `headers` contain no key. */
  readonly apiKey?: string;
  readonly fetch: typeof fetch;
}

type Contracts = typeof API_CONTRACTS;

/** A client with one method per endpoint. The name of a method is the operation id. */
export type Client = {
  readonly [Name in keyof Contracts]: (
    ...input: ClientArguments<Contracts[Name]['request']>
  ) => Promise<ClientAnswer<Contracts[Name]>>;
};

type ClientArguments<R extends RequestContract> = R extends { readonly body: BodyContract }
  ? [input: ClientInput<R>]
  : [input?: ClientInput<R>];

/** The input of one call. A body with a file is sent as a form; any other body is sent as JSON. */
export type ClientInput<R extends RequestContract> = {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
} & (R extends { readonly path: infer P extends z.ZodObject }
  ? { readonly path: z.input<P> }
  : unknown) &
  (R extends { readonly query: infer Q extends z.ZodObject }
    ? { readonly query?: z.input<Q> }
    : unknown) &
  (R extends { readonly body: infer B extends BodyContract }
    ? { readonly body: z.input<B['fields']> & z.input<B['files']> }
    : unknown);

type AnswerBody<R extends ResponseContract> =
  | z.output<R['schema']>
  | (R extends { readonly file: { readonly schema: infer F extends z.ZodType } }
      ? z.output<F>
      : never);

/**
 * The answer of the service: either a response of the contract with `problem` null, or a problem with `body` null.
 */
export type ClientAnswer<C extends RouteContract> =
  | {
      [Status in keyof C['responses'] & number]: {
        readonly status: Status;
        readonly headers: Headers;
        readonly body: AnswerBody<C['responses'][Status]>;
        readonly problem: null;
      };
    }[keyof C['responses'] & number]
  | {
      readonly status: number;
      readonly headers: Headers;
      readonly body: null;
      readonly problem: Problem;
    };

/**
 * Creates a client that validates answers against the contract. Its methods reject with a ZodError if an answer does
 * not match the contract, and with the errors of `fetch`.
 */
export function createClient(options: ClientOptions): Client {
  const methods = Object.entries(API_CONTRACTS).map(([name, contract]) => [
    name,
    (input: AnyInput = {}) => call(options, contract, input),
  ]);
  return Object.fromEntries(methods) as Client;
}

async function call(options: ClientOptions, contract: RouteContract, input: AnyInput) {
  const acceptsJson = contract.request.body?.maxBytes['application/json'] !== undefined;
  const { body, headers: bodyHeaders } = encodeBody(acceptsJson, input.body);
  const response = await options.fetch(options.baseUrl + encodeTarget(contract.path, input), {
    method: contract.method,
    headers: {
      ...(options.apiKey !== undefined && { 'X-API-Key': options.apiKey }),
      ...input.headers,
      ...bodyHeaders,
    },
    ...(body !== undefined && { body }),
    ...(input.signal && { signal: input.signal }),
  });
  const { status, headers } = response;
  const expected = contract.responses[status];
  const isProblem = headers.get('content-type') === 'application/problem+json';
  if (isProblem || expected === undefined) {
    return { status, headers, body: null, problem: Problem.parse(await response.json()) };
  }
  const isFile = headers.get('content-type') === expected.file?.mediaType;
  const { mediaType, schema } = isFile ? expected.file : expected;
  const content = await readContent(response, mediaType);
  return { status, headers, body: schema.parse(content), problem: null };
}

async function readContent(response: Response, mediaType: string | null): Promise<unknown> {
  if (mediaType === null) return undefined;
  if (mediaType === 'application/json') return response.json();
  if (mediaType.startsWith('text/')) return response.text();
  return new File([await response.blob()], '', { type: mediaType });
}
