export const HTTP_ERRORS = {
  invalid_request: { status: 400, title: 'Invalid request' },
  invalid_json: { status: 400, title: 'Invalid JSON' },
  invalid_multipart: { status: 400, title: 'Invalid multipart body' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  request_timeout: { status: 408, title: 'Request timed out' },
  body_too_large: { status: 413, title: 'Body too large' },
  file_too_large: { status: 413, title: 'File too large' },
  field_too_large: { status: 413, title: 'Field too large' },
  too_many_parts: { status: 413, title: 'Too many parts' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  range_not_satisfiable: { status: 416, title: 'Range not satisfiable' },
  overloaded: { status: 429, title: 'Overloaded' },
  headers_too_large: { status: 431, title: 'Headers too large' },
  internal_error: { status: 500, title: 'Internal error' },
  store_unavailable: { status: 503, title: 'Store unavailable' },
} as const satisfies Record<string, { status: number; title: string }>;

export type HttpErrorCode = keyof typeof HTTP_ERRORS;

/** An invalid part of the input. The `path` locates the part, such as `images.0.image_url`. */
export interface InputError {
  readonly path: string;
  readonly message: string;
}

export interface HttpErrorDetails {
  /** Headers of the response, such as `Allow` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly errors?: readonly InputError[];
  readonly cause?: unknown;
}

/** The error of a request that the HTTP layer refuses. The message is one sentence for the caller. */
export class HttpError extends Error {
  readonly code: HttpErrorCode;
  readonly headers: Readonly<Record<string, string>>;
  readonly errors: readonly InputError[];

  constructor(code: HttpErrorCode, detail: string, details: HttpErrorDetails = {}) {
    super(detail, { cause: details.cause });
    this.name = 'HttpError';
    this.code = code;
    this.headers = details.headers ?? {};
    this.errors = details.errors ?? [];
  }

  get status(): number {
    return HTTP_ERRORS[this.code].status;
  }
}

/** The client disconnected before the end of its response. This error is not logged as a failure. */
export class ClientDisconnected extends Error {
  constructor() {
    super('The client closed the connection.');
    this.name = 'ClientDisconnected';
  }
}
