import { expect } from '@jest/globals';
import {
  type Caller,
  type FuzzRequest,
  type KeyName,
  type SessionName,
  toSent,
} from './fuzz-request.ts';
import type { Answer } from './judge-answer.ts';
import type { Operation } from './openapi-operations.ts';

const TIMEOUT_MS = 120_000;

/** The keys, and the tokens of the sessions, by their names. */
export type Secrets = Readonly<Partial<Record<KeyName | SessionName, string>>>;

/** The headers that identify a caller. */
export function credentialsOf(caller: Caller, secrets: Secrets): Readonly<Record<string, string>> {
  if (caller === null) return {};
  if (typeof caller === 'object') {
    return 'key' in caller ? { 'x-api-key': caller.key } : ofPage(caller.session);
  }
  const secret = secrets[caller] ?? '';
  return caller === 'session' || caller === 'person' ? ofPage(secret) : { 'x-api-key': secret };
}

function ofPage(token: string): Readonly<Record<string, string>> {
  return { cookie: `sightline_session=${token}`, 'sec-fetch-site': 'same-origin' };
}

/** @param credentials headers that replace those of the request */
export async function send(
  url: string,
  { method }: Operation,
  {
    request,
    credentials,
  }: {
    readonly request: FuzzRequest;
    readonly credentials: Readonly<Record<string, string>>;
  },
): Promise<Answer> {
  const { headers: given, ...init } = toSent(request);
  const headers = new Headers(given);
  // The document does not repeat for each operation how this header is refused.
  headers.delete('X-Environment-Id');
  for (const [name, value] of Object.entries(credentials)) headers.set(name, value);
  const response = await fetch(url + request.target, {
    ...init,
    method,
    headers,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const body = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, body };
}

/** Expects that an answer is as the document promises, is no defect, and contains none of the secrets. */
export function expectPromised(
  operation: Operation,
  answer: Answer,
  secrets: Iterable<string>,
): void {
  const shown = show(answer);
  expect({ complaint: operation.complaint(answer), shown }).toEqual({ shown });
  expect({ isDefect: answer.status >= 500, shown }).toEqual({ isDefect: false, shown });
  for (const secret of secrets) expect(shown).not.toContain(secret);
}

/** Whether the path can be decoded. The service refuses other paths before it checks the caller. */
export function isWellFormed(target: string): boolean {
  try {
    return decodeURIComponent(target.split('?')[0]!) !== '';
  } catch {
    return false;
  }
}

export function isSuccess(status: number): boolean {
  // Some operations send browsers to a page.
  return (status >= 200 && status < 300) || status === 303;
}

export function isJson({ headers }: Answer): boolean {
  return headers.get('content-type')?.includes('json') ?? false;
}

export function show({ body }: Answer): string {
  return Buffer.from(body).toString();
}
