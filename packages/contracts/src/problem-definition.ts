export interface ProblemDefinition {
  readonly status: number;
  readonly title: string;
  readonly description: string;
  /** The default `Retry-After` header in seconds. An error may set another value. */
  readonly retryAfterSeconds?: number;
  readonly challenge?: string;
  /** The descriptions of other headers that every response with this code has, by name. */
  readonly headers?: Readonly<Record<string, string>>;
}
