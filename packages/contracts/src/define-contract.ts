import type { z } from 'zod';
import type { ProblemCode } from './problem.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What the caller's key must allow; `none` answers without a key. */
export type RequiredRight = 'none' | 'read' | 'full';

export type RequestMediaType = 'application/json' | 'multipart/form-data';

/** What one endpoint takes and answers. Router, OpenAPI document and client read the same value. */
export interface RouteContract {
  readonly method: HttpMethod;
  /** Parameters in braces: `/api/jobs/{id}`. */
  readonly path: `/${string}`;
  readonly right: RequiredRight;
  readonly tag: string;
  /** One line. */
  readonly summary: string;
  readonly description?: string;
  readonly request: RequestContract;
  /** By status; 2xx, and others whose body is no problem. */
  readonly responses: Readonly<Record<number, ResponseContract>>;
  readonly problems: readonly ProblemCode[];
}

export interface RequestContract {
  readonly path?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: BodyContract;
}

export interface BodyContract {
  /** The media types that are taken, and the most bytes of a body of each. */
  readonly maxBytes: Readonly<Partial<Record<RequestMediaType, number>>>;
  /** Members of the JSON object, which are the text fields of the form as well. */
  readonly fields: z.ZodObject;
  /** File parts of the form, of `z.file()` or arrays of it. */
  readonly files: z.ZodObject;
  /** Groups of members; exactly one of each group must be given. */
  readonly exactlyOneOf: readonly (readonly string[])[];
}

export interface ResponseContract {
  readonly description: string;
  readonly mediaType: string;
  readonly schema: z.ZodType;
}

/** Keeps the literal types of a contract, on which the handler's and the client's types rest. */
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
