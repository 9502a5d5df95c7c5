import type { Response } from 'express';

/** Notes the code of the problem with which a request is refused, for its log line and the metrics. */
export function noteRefusal(response: Response, code: string): void {
  (response.locals as RefusalLocals).refusalCode = code;
}

/** Null for a request that is not refused. */
export function refusalCode(response: Response): string | null {
  return (response.locals as RefusalLocals).refusalCode ?? null;
}

interface RefusalLocals {
  refusalCode?: string;
}
