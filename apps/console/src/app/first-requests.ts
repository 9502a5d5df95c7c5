import { ENDPOINTS } from 'virtual:endpoints';
import { PAGE_MODULES } from './page-modules.ts';
import { pageOf } from './page-of.ts';

const SESSION = ENDPOINTS.getSession!.path;
/** The time in ms after which the sign-in is shown. */
const FRAME_AFTER_MS = 1_000;
const early = new Map<string, Promise<Response>>();

// Evaluating the first script takes longer than these requests, so this module sends them before all others run.
const page = pageOf(location.pathname);
if (page === undefined) {
  // Nearly every page follows the sign-in within the frame.
  setTimeout(() => PAGE_MODULES['/$environment']().catch(ignore), FRAME_AFTER_MS);
} else {
  const session = fetch(SESSION);
  early.set(SESSION, session);
  session.catch(ignore);
  PAGE_MODULES[page]().catch(ignore);
  if (page.startsWith('/$environment')) PAGE_MODULES['/$environment']().catch(ignore);
}

/** Failures are seen by those who ask for the same again. */
function ignore(): void {
  return undefined;
}

/** Like `fetch`, but gives the answer to a request that was sent before, once. */
export function fetchFirst(target: string, request: RequestInit): Promise<Response> {
  if (request.method !== 'GET') return fetch(target, request);
  const sent = early.get(target);
  early.delete(target);
  return sent ?? fetch(target, request);
}
