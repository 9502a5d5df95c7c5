import type { Response } from 'express';
import { HTTP_ERRORS, HttpError, type HttpErrorCode, type InputError } from './http-errors.ts';
import { noteRefusal } from './refusal-code.ts';
import { requestId } from './request-id.ts';

/** An error in the form in which callers get it (RFC 9457). */
export interface Problem {
  readonly status: number;
  /** A stable identifier in snake_case. */
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly errors?: readonly InputError[];
  /** Additional members of the response as JSON values, such as `faces: 2`. */
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Converts an application's own errors to problems. Returns undefined for other errors. */
export type ToProblem = (error: unknown) => Problem | undefined;

/** Sends the problem as the response. The headers must not have been sent yet. */
export function sendProblem(response: Response, problem: Problem): void {
  noteRefusal(response, problem.code);
  response.status(problem.status);
  for (const [name, value] of Object.entries(problem.headers ?? {})) {
    response.setHeader(name, value);
  }
  response.setHeader('Content-Type', 'application/problem+json');
  response.end(JSON.stringify(problemDocument(problem, requestId(response))));
}

/** The members of the response body, whose media type is application/problem+json. */
export function problemDocument(problem: Problem, requestId: string): Record<string, unknown> {
  const { status, code, title, detail, errors, facts } = problem;
  return {
    ...facts,
    type: 'about:blank',
    title,
    status,
    detail,
    code,
    request_id: requestId,
    ...(errors !== undefined && errors.length > 0 && { errors }),
  };
}

/** Converts an error of this package or of Express to a problem. Returns undefined for any other error. */
export function httpProblem(error: unknown): Problem | undefined {
  if (error instanceof HttpError) {
    const { code, message, errors, headers } = error;
    return { ...HTTP_ERRORS[code], code, detail: message, errors, headers };
  }
  return error instanceof Error ? refusedByExpress(error) : undefined;
}

export const INTERNAL_PROBLEM: Problem = {
  ...HTTP_ERRORS.internal_error,
  code: 'internal_error',
  detail:
    'An unexpected error occurred. The log of the service contains the details under the request id.',
};

/** Converts an error of Express. Errors that the request caused have a `status` of 4xx. */
function refusedByExpress(error: Error & { status?: unknown }): Problem | undefined {
  if (error instanceof URIError) return problem('invalid_request', 'The path is not well-formed.');
  const { status } = error;
  if (typeof status !== 'number' || status < 400 || status > 499) return undefined;
  if (status === 404) return problem('not_found', 'The path does not exist.');
  if (status === 413) return problem('body_too_large', 'The body is too large.');
  return problem('invalid_request', 'The request is not well-formed.');
}

function problem(code: HttpErrorCode, detail: string): Problem {
  return { ...HTTP_ERRORS[code], code, detail };
}
