import type { AnyInput } from '@sightline/contracts/encode-request';
import type { Problem } from '@sightline/contracts/problem';
import { checkAnswer, ENDPOINTS } from 'virtual:endpoints';
import { ProblemError, UnreachableError } from './api-error.ts';
import { encodeRequest } from './encode-request.ts';
import type { Endpoint } from './endpoint.ts';
import type {
  Operation,
  OperationAnswer,
  OperationArguments,
  OperationBody,
  SendArguments,
} from './operations.ts';
import type { RequestLog } from './request-log.ts';

/** The media type of refusals (RFC 9457). */
const PROBLEM_TYPE = 'application/problem+json';

export interface ApiOptions {
  /** The environment of the requests; null for those outside environments. */
  readonly environment: number | null;
  readonly log: RequestLog;
  /** Called when the service refuses a request because the session has ended. */
  readonly sessionEnded?: () => void;
  /** Sends the requests, if they are not sent as usual. */
  readonly fetch?: (target: string, request: RequestInit) => Promise<Response>;
}

export type Sent<O extends Operation> = Omit<OperationAnswer<O>, 'headers' | 'problem'> & {
  /** The operation that the request recorded, with which it can be taken back; null if there is none. */
  readonly operationId: number | null;
};

/** Sends requests of one environment with the session's cookie. */
export class Api {
  readonly environment: number | null;
  readonly #log: RequestLog;
  readonly #sessionEnded: (() => void) | undefined;
  readonly #fetch: NonNullable<ApiOptions['fetch']>;

  constructor({ environment, log, sessionEnded, fetch: send }: ApiOptions) {
    this.environment = environment;
    this.#log = log;
    this.#fetch = send ?? ((target, request) => fetch(target, request));
    this.#sessionEnded = sessionEnded;
  }

  /**
   * Returns the body of the answer.
   *
   * @throws ProblemError if the service refuses the request
   * @throws UnreachableError if there is no answer
   */
  async read<O extends Operation>(
    operation: O,
    ...input: OperationArguments<O>
  ): Promise<OperationBody<O>> {
    const { body } = await this.#call(operation, input[0] ?? {});
    return body as OperationBody<O>;
  }

  /** Like `read`, with the status and the recorded operation. */
  async send<O extends Operation>(operation: O, ...input: SendArguments<O>): Promise<Sent<O>> {
    const { status, headers, body } = await this.#call(operation, input[0] ?? {});
    const id = headers.get('X-Operation-Id');
    return { status, body, operationId: id === null ? null : Number(id) } as unknown as Sent<O>;
  }

  async #call(operation: Operation, input: AnyInput): Promise<RawAnswer> {
    const endpoint = ENDPOINTS[operation]!;
    const { target, headers, body, logged } = encodeRequest(endpoint, input);
    const answered = this.#log.add({ method: endpoint.method, target, body: logged });
    const request = this.#fetch(target, {
      method: endpoint.method,
      headers: {
        ...headers,
        ...(this.environment !== null && { 'X-Environment-Id': String(this.environment) }),
        ...input.headers,
      },
      body: body ?? null,
      signal: input.signal ?? null,
    });
    const response = await orUnreachable(request, input.signal);
    answered(response.status);
    if (!response.ok) throw await this.#refusal(response);
    if (isForeign(response, endpoint)) {
      throw new UnreachableError('Something else than the service has answered.');
    }
    const content = await orUnreachable(contentOf(response), input.signal);
    checkAnswer(operation, response.status, content);
    return { status: response.status, headers: response.headers, body: content };
  }

  async #refusal(response: Response): Promise<ProblemError | UnreachableError> {
    if (response.headers.get('content-type') !== PROBLEM_TYPE) {
      return new UnreachableError(`The answer has the status ${response.status} and no problem.`);
    }
    const problem = (await orUnreachable(response.json(), undefined)) as Problem;
    if (problem.code === 'unauthenticated') this.#sessionEnded?.();
    const seconds = Number(response.headers.get('Retry-After') ?? NaN);
    return new ProblemError(problem, Number.isFinite(seconds) ? seconds : null);
  }
}

/** Whether a proxy has answered with a page of its own, such as a sign-in, so that the service never saw the request. */
function isForeign({ status, headers }: Response, { answersJson }: Endpoint): boolean {
  const type = headers.get('content-type') ?? '';
  if (type.startsWith('text/html')) return true;
  return answersJson && status !== 204 && !type.startsWith('application/json');
}

interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** A connection may also end in the middle of an answer. */
async function orUnreachable<T>(
  answer: Promise<T>,
  signal: AbortSignal | null | undefined,
): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new UnreachableError('The service did not answer.', { cause });
  }
}

async function contentOf(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type');
  if (type === null || response.status === 204) return undefined;
  if (type.startsWith('application/json')) return response.json();
  if (type.startsWith('text/')) return response.text();
  return response.blob();
}
