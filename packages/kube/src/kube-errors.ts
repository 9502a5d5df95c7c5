/** The API server's response to a rejected request (`kind: Status`). */
export interface KubeStatus {
  readonly code: number;
  /** A word such as `Conflict` or `Expired`; empty if a proxy sent the response. */
  readonly reason: string;
  readonly message: string;
  /** The plural of the objects that the response is about; empty if it does not say so. */
  readonly kind: string;
  readonly causes: readonly StatusCause[];
  /** The value of the header Retry-After, in seconds; null if the header is absent. */
  readonly retryAfterSeconds: number | null;
}

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** The most characters of a message that its summary repeats. */
const SUMMARY_LENGTH = 500;
const VALUE_LENGTH = 100;

/** A fault without the value that has it, if that is long: `Invalid value: {…}: field is immutable`. */
function faultOf(message: string): string {
  const value = /^(Invalid|Unsupported|Duplicate) value: ([^]*): /.exec(message);
  if (value === null || value[2]!.length <= VALUE_LENGTH) return message;
  return message.slice(value[0].length);
}

export class KubeRefusal extends Error {
  readonly code = 'KUBE_REFUSED';
  readonly status: KubeStatus;

  constructor(status: KubeStatus) {
    super(status.message);
    this.status = status;
  }

  /**
   * The message for people. An invalid object's message repeats the invalid value, which may be a whole pod template, so
   * the summary names only fields and faults.
   */
  get summary(): string {
    const { causes, message } = this.status;
    if (message.length <= SUMMARY_LENGTH) return message;
    const [intro] = message.split(' is invalid:');
    const faults = causes.map(
      ({ field = '', message: fault = '' }) => `${field}: ${faultOf(fault)}`,
    );
    if (intro === message || faults.length === 0) return `${message.slice(0, SUMMARY_LENGTH)}…`;
    return `${intro} is invalid: ${[...new Set(faults)].join('; ')}`;
  }

  get isNotFound(): boolean {
    return this.status.code === 404;
  }

  /**
   * Whether another manager owns fields of an applied object, a replaced object has changed, or a created object
   * exists.
   */
  get isConflict(): boolean {
    return this.status.code === 409;
  }

  /** Whether the namespace is being deleted or has been deleted, so that nothing can be created in it. */
  get isOfEndingNamespace(): boolean {
    const { kind, causes } = this.status;
    const isDeleted = this.isNotFound && kind === 'namespaces';
    return isDeleted || causes.some(({ reason }) => reason === 'NamespaceTerminating');
  }

  /**
   * Whether the server no longer has the version at which a list or watch should continue. The caller has to list
   * again.
   */
  get isExpired(): boolean {
    return this.status.code === 410;
  }
}

/** The API server did not respond, or the response cannot be read. */
export class KubeUnavailable extends Error {
  readonly code = 'KUBE_UNAVAILABLE';
}

const NOT_JSON_LENGTH = 200;

/** @param body the body of the response, which a proxy may have sent */
export function toStatus(
  code: number,
  body: string,
  retryAfter: string | readonly string[] | undefined,
): KubeStatus {
  const said = parseStatus(body);
  const seconds = Number(retryAfter ?? NaN);
  return {
    code,
    reason: said.reason ?? '',
    message: said.message ?? `${code}: ${body.slice(0, NOT_JSON_LENGTH)}`,
    kind: said.details?.kind ?? '',
    causes: said.details?.causes ?? [],
    retryAfterSeconds: Number.isFinite(seconds) && seconds >= 0 ? seconds : null,
  };
}

interface SaidStatus {
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly kind?: string; readonly causes?: readonly StatusCause[] };
}

function parseStatus(body: string): SaidStatus {
  try {
    const said: unknown = JSON.parse(body);
    return typeof said === 'object' && said !== null ? said : {};
  } catch {
    return {};
  }
}
