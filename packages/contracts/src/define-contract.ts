import { z } from 'zod';
import type { OperationKind } from './operations/operation.ts';
import type { ProblemCode } from './problem.ts';
import type { Tag } from './tags.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * The caller that an endpoint needs. In an environment, each right includes those before it: `read`, `review`, `full`,
 * `owner`. Keys with full rights are owners, too. `admin` needs an administrator in any role, or a key with full rights of one.
 */
export type EnvironmentRight = 'read' | 'review' | 'full' | 'owner' | 'admin';

/**
 * The caller that an endpoint outside environments needs. `none`: anyone. `visitor`: anyone whose request comes from no
 * foreign page. The others need the session of an account: `signed-in` any session, `account` one that needs no new
 * password, `administrator` such a session of an administrator.
 */
export type VisitorRight = 'none' | 'visitor' | 'signed-in' | 'account' | 'administrator';

export type RequiredRight = EnvironmentRight | VisitorRight;

export function isForEnvironment(right: RequiredRight): right is EnvironmentRight {
  return ['read', 'review', 'full', 'owner', 'admin'].includes(right);
}

/**
 * The requests of an endpoint of environments that concern the installation: a parameter has a value that begins with a
 * text. The session of an administrator suffices for them, whatever environments the account is a member of; they have no
 * caller in an environment then. Other callers need the right of the endpoint.
 */
export interface InstallationRequests {
  readonly in: 'path' | 'query';
  readonly name: string;
  readonly startsWith: string;
}

export type RequestMediaType = 'application/json' | 'multipart/form-data';

/**
 * The request and the responses of one endpoint. The router, the OpenAPI document and the client are derived from it.
 */
export interface RouteContract {
  readonly method: HttpMethod;
  /** The path, with parameters in braces, such as `/api/jobs/{id}`. */
  readonly path: `/${string}`;
  readonly right: RequiredRight;
  /** The requests that concern the installation instead of an environment; absent if there are none. */
  readonly installation?: InstallationRequests;
  /** Whether the endpoint leads to a session or ends one, so that it accepts a request with several cookies of sessions. */
  readonly replacesSession?: true;
  /**
   * Whether the endpoint accepts an `Idempotency-Key`, so that a retry gets the stored response. Set for POST
   * endpoints that store something.
   */
  readonly idempotent?: true;
  /** The kind of the operation that a request is, if it can be taken back. */
  readonly operation?: OperationKind;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  readonly request: RequestContract;
  /** The responses by status code, except for problem documents. */
  readonly responses: Readonly<Record<number, ResponseContract>>;
  /** The problems of this endpoint, without the problems that `problemsOf` derives from the other members. */
  readonly problems: readonly ProblemCode[];
}

export interface RequestContract {
  readonly path?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** The headers that the endpoint reads; the names are in lower case. */
  readonly headers?: z.ZodObject;
  readonly body?: BodyContract;
}

export interface BodyContract {
  /** The accepted media types, and the maximum size of each type's body in bytes. */
  readonly maxBytes: Readonly<Partial<Record<RequestMediaType, number>>>;
  /** The members of the JSON object. In a form, the same members are text fields. */
  readonly fields: z.ZodObject;
  /** The names of fields that only JSON bodies can have. */
  readonly jsonOnly?: readonly string[];
  /** The file parts of the form: `z.file()` or arrays of it. */
  readonly files: z.ZodObject;
  /**
   * The names of fields that contain an image in base64; all other fields are short. `images.*.image` is the field
   * `image` of each object in the array `images`.
   */
  readonly imageTexts: readonly string[];
  /** Groups of members. A request must contain exactly one member of each group. */
  readonly exactlyOneOf: readonly (readonly string[])[];
}

/** Whether a request without a body is valid. It has the same meaning as one without members. */
export function isBodyOptional({ fields, files, exactlyOneOf }: BodyContract): boolean {
  const isEmptyValid = [fields, files].every((members) => members.safeParse({}).success);
  return isEmptyValid && exactlyOneOf.length === 0;
}

export interface ResponseContract {
  readonly description: string;
  /** Null if there is no body. */
  readonly mediaType: string | null;
  readonly schema: z.ZodType;
  /** The file that the endpoint sends instead of JSON in some cases. */
  readonly file?: { readonly mediaType: string; readonly schema: z.ZodType };
  /** The descriptions of additional headers, by name. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns the contract with its literal types, from which the types of its handler and of the client follow. */
export function defineContract<const C extends RouteContract>(contract: C): C {
  return contract;
}

export function jsonResponse<S extends z.ZodType>(
  description: string,
  schema: S,
): { description: string; mediaType: 'application/json'; schema: S } {
  return { description, mediaType: 'application/json', schema };
}

export function emptyResponse(description: string) {
  return { description, mediaType: null, schema: z.undefined() };
}

const MAX_JSON_BYTES = 1024 * 1024;
const MAX_ACCOUNT_BYTES = 16 * 1024;

/** A request body that must be JSON and contains no images. */
export function jsonBody<F extends z.ZodObject>(
  fields: F,
  exactlyOneOf: BodyContract['exactlyOneOf'] = [],
): BodyContract & { readonly fields: F } {
  const maxBytes = { 'application/json': MAX_JSON_BYTES };
  return { maxBytes, fields, files: z.object({}), imageTexts: [], exactlyOneOf };
}

/** A request body of accounts, which has a few short texts, so that callers without a session cannot send much. */
export function accountBody<F extends z.ZodObject>(
  fields: F,
): BodyContract & { readonly fields: F } {
  return { ...jsonBody(fields), maxBytes: { 'application/json': MAX_ACCOUNT_BYTES } };
}
