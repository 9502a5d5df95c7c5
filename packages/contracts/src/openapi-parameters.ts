const REQUEST_ID = {
  name: 'X-Request-Id',
  in: 'header',
  required: false,
  description:
    'Identifies the request in the response and in the log: 1 to 128 letters, digits, dots, underscores and hyphens. The service replaces any other value.',
  schema: { type: 'string' },
};

const ENVIRONMENT_ID = {
  name: 'X-Environment-Id',
  in: 'header',
  required: false,
  description:
    'The environment of a request with a session; absent: the default one of the account. A key belongs to one environment, so the header does not apply to it.',
  schema: { type: 'string', pattern: '^[1-9][0-9]{0,15}$' },
};

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Chosen by the caller, one per request. A retry with the same key within 24 hours gets the stored response of the first request and has no further effect. Only successful responses are stored.',
  schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
};

/** The headers that many endpoints take, by their names in the OpenAPI document. */
export const OPENAPI_PARAMETERS = {
  RequestId: REQUEST_ID,
  IdempotencyKey: IDEMPOTENCY_KEY,
  EnvironmentId: ENVIRONMENT_ID,
};
