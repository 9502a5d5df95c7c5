import { type AnyInput, encodeBody, encodeTarget } from '@sightline/contracts/encode-request';
import type { Endpoint } from './endpoint.ts';
import type { LoggedRequest } from './request-log.ts';

export interface EncodedRequest {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | FormData | undefined;
  readonly logged: LoggedRequest['body'];
}

/** Encodes a request, also for the list of the page's requests. */
export function encodeRequest(endpoint: Endpoint, input: AnyInput): EncodedRequest {
  const target = encodeTarget(endpoint.path, input);
  const { headers = {}, body } = encodeBody(endpoint.json, input.body);
  return { target, headers, body, logged: describeBody(body) };
}

function describeBody(body: FormData | string | undefined): LoggedRequest['body'] {
  if (body === undefined) return null;
  if (typeof body === 'string') return { json: JSON.stringify(JSON.parse(body), withoutSecrets) };
  return {
    form: [...body].map(([name, value]) =>
      typeof value === 'string' ? `${name}=${value}` : `${name}=@${value.name}`,
    ),
  };
}

/** The members of bodies that the list of requests does not show. */
const SECRETS: ReadonlySet<string> = new Set([
  'current_password',
  'invitation_token',
  'new_password',
  'password',
  'secret',
  'token',
]);

function withoutSecrets(name: string, value: unknown): unknown {
  return SECRETS.has(name) && typeof value === 'string' ? '…' : value;
}
