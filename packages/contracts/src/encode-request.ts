type Scalar = string | number | boolean;

/** A member of a body. Objects are sent in JSON, also as parts of a form. */
type Member = Scalar | Blob | object | null | undefined;
type Members = Readonly<Record<string, Member | readonly Member[]>>;

/** The input of any operation. */
export interface AnyInput {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: Readonly<Record<string, Scalar>>;
  readonly query?: Readonly<Record<string, Scalar | readonly Scalar[] | null | undefined>>;
  readonly body?: Members;
}

/** Returns the path with its values, and the query. Values that are null or undefined are left out of the query. */
export function encodeTarget(path: string, input: Pick<AnyInput, 'path' | 'query'>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(input.path?.[name])),
  );
  const query = new URLSearchParams();
  for (const [name, values] of Object.entries(input.query ?? {})) {
    for (const value of [values].flat()) {
      if (value !== undefined && value !== null) query.append(name, String(value));
    }
  }
  return query.size === 0 ? filled : `${filled}?${query.toString()}`;
}

export interface EncodedBody {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: FormData | string;
}

/**
 * Encodes a body. One with a file becomes a form, and so does one that the endpoint does not accept as JSON.
 *
 * @param acceptsJson whether the endpoint accepts JSON
 */
export function encodeBody(acceptsJson: boolean, members: Members | undefined): EncodedBody {
  if (members === undefined) return {};
  const hasFile = Object.values(members)
    .flat()
    .some((value) => value instanceof Blob);
  if (hasFile || !acceptsJson) return { body: toForm(members) };
  return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(members) };
}

/** Converts members to a form. An array becomes several parts with the same name. */
function toForm(members: Members): FormData {
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

/**
 * The file name of a file without a name, because some parsers of forms treat a part with an empty file name as text.
 */
const NAMELESS = 'blob';

function fileNameOf(file: Blob): string {
  return file instanceof File && file.name !== '' ? file.name : NAMELESS;
}
