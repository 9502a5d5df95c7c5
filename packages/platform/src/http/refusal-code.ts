import type { Response } from 'express';

export function noteRefusal(response: Response, code: string): void {
  (response.locals as RefusalLocals).refusalCode = code;
}

/** The recorded problem code; null if the request was not refused. */
export function refusalCode(response: Response): string | null {
  return (response.locals as RefusalLocals).refusalCode ?? null;
}

interface RefusalLocals {
  refusalCode?: string;
}
