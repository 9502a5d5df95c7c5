import type { Value } from './arbitrary-value.ts';

/** An administrator's key, or a full or a read key of an environment. */
export type KeyName = 'admin' | 'full' | 'read';

/** The session of an administrator, or of another person. */
export type SessionName = 'session' | 'person';

/** The caller of a request; a key or a session that does not exist, or none (null), among others. */
export type Caller =
  KeyName | SessionName | { readonly key: string } | { readonly session: string } | null;

export type Members = Readonly<Record<string, Value>>;

export type Body =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'bytes';
      readonly contentType: string;
      readonly bytes: Uint8Array<ArrayBuffer>;
    }
  | { readonly kind: 'json' | 'form'; readonly members: Members };

export interface FuzzRequest {
  readonly caller: Caller;
  /** The path and the query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}

/** Returns the query with its question mark, or an empty text if there are no members. */
export function toQuery(members: Members): string {
  const query = new URLSearchParams();
  for (const [name, text] of textsOf(members)) query.append(name, String(text));
  return query.size === 0 ? '' : `?${query.toString()}`;
}

export interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | FormData;
}

export function toSent({ headers, body }: FuzzRequest): Sent {
  switch (body.kind) {
    case 'none':
      return { headers };
    case 'bytes':
      return { headers: { ...headers, 'content-type': body.contentType }, body: body.bytes };
    case 'json':
      return {
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body.members),
      };
    case 'form':
      return { headers, body: toForm(body.members) };
  }
}

function toForm(members: Members): FormData {
  const form = new FormData();
  for (const [name, one] of textsOf(members)) {
    if (typeof one === 'string') form.append(name, one);
    else form.append(name, new Blob([one]), 'photo.jpg');
  }
  return form;
}

/** The values of a form or a query. A list gives one entry per item. */
function textsOf(members: Members): [string, string | Uint8Array<ArrayBuffer>][] {
  return Object.entries(members).flatMap(([name, value]) =>
    (Array.isArray(value) ? (value as readonly Value[]) : [value])
      .filter((one) => one !== undefined)
      .map((one): [string, string | Uint8Array<ArrayBuffer>] => [name, asText(one)]),
  );
}

function asText(value: Value): string | Uint8Array<ArrayBuffer> {
  if (typeof value === 'string' || value instanceof Uint8Array) return value;
  return JSON.stringify(value);
}
