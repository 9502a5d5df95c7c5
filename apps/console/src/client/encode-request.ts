import type { Endpoint } from './endpoint.ts';
import type { LoggedRequest } from './request-log.ts';

type Scalar = string | number | boolean;
type Value = Scalar | Blob | null | undefined | object;

/** The input of any operation. */
export interface AnyInput {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: Readonly<Record<string, Scalar>>;
  readonly query?: Readonly<Record<string, Scalar | readonly Scalar[] | null | undefined>>;
  readonly body?: Readonly<Record<string, Value | readonly Value[]>>;
}

export interface EncodedRequest {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | FormData | undefined;
  readonly logged: LoggedRequest['body'];
}

/** A body with a file becomes a form, and so does one that the endpoint does not accept as JSON. */
export function encodeRequest(endpoint: Endpoint, { path, query, body }: AnyInput): EncodedRequest {
  const target = fillPath(endpoint.path, path) + encodeQuery(query);
  if (body === undefined) return { target, headers: {}, body: undefined, logged: null };
  const values = Object.values(body).flat();
  if (!endpoint.json || values.some((value) => value instanceof Blob)) {
    const form = toForm(body);
    return { target, headers: {}, body: form, logged: { form: describeForm(form) } };
  }
  const json = JSON.stringify(body);
  const headers = { 'Content-Type': 'application/json' };
  return { target, headers, body: json, logged: { json } };
}

function fillPath(path: string, values: AnyInput['path'] = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

function encodeQuery(query: AnyInput['query'] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, values] of Object.entries(query)) {
    for (const value of [values].flat()) {
      if (value !== undefined && value !== null) parameters.append(name, String(value));
    }
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}

/** Converts members to a form. An array becomes several parts with the same name. */
function toForm(members: NonNullable<AnyInput['body']>): FormData {
  const form = new FormData();
  for (const [name, values] of Object.entries(members)) {
    for (const value of [values].flat()) {
      if (value === undefined || value === null) continue;
      if (value instanceof Blob) form.append(name, value, fileNameOf(value));
      else form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
    }
  }
  return form;
}

/** The name of a file without a name, because parsers of forms treat a part with an empty file name as text. */
const NAMELESS = 'blob';

function fileNameOf(file: Blob): string {
  return file instanceof File && file.name !== '' ? file.name : NAMELESS;
}

function describeForm(form: FormData): string[] {
  return [...form].map(([name, value]) =>
    typeof value === 'string' ? `${name}=${value}` : `${name}=@${value.name}`,
  );
}
