import type { z } from 'zod';
import { API_CONTRACTS } from './api-contracts.ts';
import type { BodyContract, RequestContract, RouteContract } from './define-contract.ts';
import { Problem } from './problem.ts';

export interface ClientOptions {
  /** Scheme, host and port, without a slash at the end. */
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
}

type Contracts = typeof API_CONTRACTS;

/** One method per endpoint, named by its operation id. */
export type Client = {
  readonly [Name in keyof Contracts]: (
    ...input: ClientArguments<Contracts[Name]['request']>
  ) => Promise<ClientAnswer<Contracts[Name]>>;
};

type ClientArguments<R extends RequestContract> = R extends { readonly body: BodyContract }
  ? [input: ClientInput<R>]
  : [input?: ClientInput<R>];

/** What one call takes; a body with a file in it goes as a form, others as JSON. */
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

/** An answer by the contract, or a problem: `problem` tells which. */
export type ClientAnswer<C extends RouteContract> =
  | {
      [Status in keyof C['responses'] & number]: {
        readonly status: Status;
        readonly headers: Headers;
        readonly body: z.output<C['responses'][Status]['schema']>;
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
 * A client of the service. Answers are checked against the contract.
 *
 * @throws ZodError for an answer that is not of the contract; whatever `fetch` throws.
 */
export function createClient(options: ClientOptions): Client {
  const methods = Object.entries(API_CONTRACTS).map(([name, contract]) => [
    name,
    (input: AnyInput = {}) => call(options, contract, input),
  ]);
  return Object.fromEntries(methods) as Client;
}

type Scalar = string | number | boolean;

interface AnyInput {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: Readonly<Record<string, Scalar>>;
  readonly query?: Readonly<Record<string, Scalar | undefined>>;
  readonly body?: FormMembers;
}

type FormMembers = Readonly<Record<string, Scalar | Blob | readonly Blob[] | undefined>>;

async function call(options: ClientOptions, contract: RouteContract, input: AnyInput) {
  const response = await options.fetch(options.baseUrl + target(contract.path, input), {
    method: contract.method,
    ...encodeBody(contract, input),
    ...(input.signal && { signal: input.signal }),
  });
  const { status, headers } = response;
  const expected = contract.responses[status];
  const isProblem = headers.get('content-type') === 'application/problem+json';
  if (isProblem || expected === undefined) {
    return { status, headers, body: null, problem: Problem.parse(await response.json()) };
  }
  const content: unknown = await (isJson(expected.mediaType) ? response.json() : response.text());
  return { status, headers, body: expected.schema.parse(content), problem: null };
}

function target(path: string, input: AnyInput): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(input.path?.[name])),
  );
  const query = new URLSearchParams(
    Object.entries(input.query ?? {})
      .filter(([, value]) => value !== undefined)
      .map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return query === '' ? filled : `${filled}?${query}`;
}

function encodeBody({ request }: RouteContract, { body, headers }: AnyInput): RequestInit {
  if (body === undefined) return { headers: { ...headers } };
  const asForm =
    request.body?.maxBytes['application/json'] === undefined ||
    Object.values(body).some((value) => value instanceof Blob);
  if (asForm) return { headers: { ...headers }, body: toForm(body) };
  return {
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  };
}

/** Arrays become repeated parts. */
function toForm(body: FormMembers): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue;
    for (const part of [value].flat())
      form.append(name, part instanceof Blob ? part : String(part));
  }
  return form;
}

function isJson(mediaType: string): boolean {
  return mediaType === 'application/json';
}
