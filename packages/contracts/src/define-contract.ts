import { z } from 'zod';
import type { ProblemCode } from './problem.ts';
import type { Tag } from './tags.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * The right that the caller's key must have. An endpoint with `none` answers without a key; `admin`
 * needs an administrator's key with full rights.
 */
export type RequiredRight = 'none' | 'read' | 'full' | 'admin';

export type RequestMediaType = 'application/json' | 'multipart/form-data';

/** The request and the responses of one endpoint; the router, the OpenAPI document and the client use it. */
export interface RouteContract {
  readonly method: HttpMethod;
  /** The path, with parameters in braces: `/api/jobs/{id}`. */
  readonly path: `/${string}`;
  readonly right: RequiredRight;
  /** Whether it takes an `Idempotency-Key`, with which a retry gets the stored answer. For POSTs that store something. */
  readonly idempotent?: true;
  readonly tag: Tag;
  /** One line. */
  readonly summary: string;
  readonly description?: string;
  readonly request: RequestContract;
  /** The responses by status: 2xx, and others whose body is not a problem document. */
  readonly responses: Readonly<Record<number, ResponseContract>>;
  /** The problems in addition to those that follow from the other members; see `problemsOf`. */
  readonly problems: readonly ProblemCode[];
}

export interface RequestContract {
  readonly path?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** The headers that the endpoint reads, by their names in lower case. */
  readonly headers?: z.ZodObject;
  readonly body?: BodyContract;
}

export interface BodyContract {
  /** The accepted media types, and the maximum size of a body of each in bytes. */
  readonly maxBytes: Readonly<Partial<Record<RequestMediaType, number>>>;
  /** The members of the JSON object, which are the text fields of the form. */
  readonly fields: z.ZodObject;
  /** The fields that a form cannot have. */
  readonly jsonOnly?: readonly string[];
  /** The file parts of the form: `z.file()` or arrays of it. */
  readonly files: z.ZodObject;
  /**
   * The fields that hold an image in base64; all others are short. `images.*.image` means that
   * member of each object in an array.
   */
  readonly imageTexts: readonly string[];
  /** Groups of members; exactly one of each group must be given. */
  readonly exactlyOneOf: readonly (readonly string[])[];
}

export interface ResponseContract {
  readonly description: string;
  /** Null if there is no body. */
  readonly mediaType: string | null;
  readonly schema: z.ZodType;
  /** The file that the endpoint answers in some cases instead of JSON. */
  readonly file?: { readonly mediaType: string; readonly schema: z.ZodType };
  /** Additional headers, and what they mean. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Keeps the literal types of a contract; the types of its handler and of the client follow from them. */
export function defineContract<const C extends RouteContract>(contract: C): C {
  return contract;
}

/** A response in JSON. */
export function jsonResponse<S extends z.ZodType>(
  description: string,
  schema: S,
): { description: string; mediaType: 'application/json'; schema: S } {
  return { description, mediaType: 'application/json', schema };
}

/** A response without a body. */
export function emptyResponse(description: string) {
  return { description, mediaType: null, schema: z.undefined() };
}

const MAX_JSON_BYTES = 1024 * 1024;

/** A body that is JSON only, without images. */
export function jsonBody<F extends z.ZodObject>(
  fields: F,
  exactlyOneOf: BodyContract['exactlyOneOf'] = [],
): BodyContract & { readonly fields: F } {
  const maxBytes = { 'application/json': MAX_JSON_BYTES };
  return { maxBytes, fields, files: z.object({}), imageTexts: [], exactlyOneOf };
}
