/** The parts of a contract that a request needs. The types of requests and answers are erased by the build. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path, with parameters in braces, such as `/api/jobs/{id}`. */
  readonly path: string;
  /** Whether a body without files may be JSON. */
  readonly json: boolean;
  /** Whether each successful answer with a body is JSON. */
  readonly answersJson: boolean;
  /** Whether the endpoint accepts an `Idempotency-Key`. */
  readonly idempotent: boolean;
}
