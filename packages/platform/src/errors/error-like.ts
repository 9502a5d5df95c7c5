/** The members that errors of drivers and of the system share, whatever their class. */
export interface ErrorLike {
  readonly message: string;
  readonly code?: unknown;
  readonly cause?: unknown;
}

export function isErrorLike(value: unknown): value is ErrorLike {
  return typeof value === 'object' && value !== null && 'message' in value;
}
