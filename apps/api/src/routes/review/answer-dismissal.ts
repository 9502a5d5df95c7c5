import type { Database, Settle } from '@sightline/core/database/database';
import { dismissFaces, type DismissRequest } from '@sightline/core/curation/dismiss-faces';
import type { Scope } from '@sightline/core/store/scope';

interface DismissalRequest {
  readonly body: { readonly fields: { readonly detection_ids: readonly number[] } };
  readonly scope: Scope;
  readonly signal: AbortSignal;
  settle(present: typeof presentDismissed): Settle<number> | undefined;
}

/** Dismisses many faces from the review queue or from the list of mismatches. */
export async function answerDismissal(
  deps: { readonly database: Database },
  request: DismissalRequest,
  action: DismissRequest['action'],
) {
  const { body, scope, signal } = request;
  const dismissed = await dismissFaces(
    deps,
    { scope, ids: body.fields.detection_ids, action },
    { signal, settle: request.settle(presentDismissed) },
  );
  return presentDismissed(dismissed);
}

function presentDismissed(dismissed: number) {
  return { status: 200, body: { dismissed } } as const;
}
