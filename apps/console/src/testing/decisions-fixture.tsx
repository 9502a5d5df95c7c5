import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { Api } from '../client/api.ts';
import { ApiProvider } from '../client/api-context.tsx';
import type { Operation } from '../client/operations.ts';
import { RequestLog } from '../client/request-log.ts';
import { JobsProvider } from '../jobs/jobs-context.tsx';
import { UndoProvider, useUndoable } from '../undo/undo-context.tsx';

/** An answer of the service, because jsdom has no `Response`. */
function answerOf(body: unknown): Response {
  return {
    ok: true,
    status: 200,
    headers: new Headers({ 'Content-Type': 'application/json' }),
    json: () => Promise.resolve(body),
  } as Response;
}

/**
 * The surroundings of a hook that makes decisions in environment 1.
 *
 * @param answer the answer of the service to every request
 */
export function decisionsFixture(answer: unknown = {}) {
  const client = new QueryClient();
  const api = new Api({
    environment: 1,
    log: new RequestLog(),
    fetch: () => Promise.resolve(answerOf(answer)),
  });
  const seen: ReturnType<typeof useUndoable>[] = [];
  function Probe() {
    const undoable = useUndoable();
    useEffect(() => void seen.push(undoable));
    return null;
  }
  return {
    wrapper: ({ children }: { readonly children: ReactNode }) => (
      <QueryClientProvider client={client}>
        <ApiProvider value={api}>
          <JobsProvider>
            <UndoProvider>
              <Probe />
              {children}
            </UndoProvider>
          </JobsProvider>
        </ApiProvider>
      </QueryClientProvider>
    ),
    announce: (text: string) => seen.at(-1)!.announce(text),
    announced: () => seen.at(-1)!.announcement?.text,
    /** Puts an answer into the cache that is as it should be. */
    hasRead: (operation: Operation) => void client.setQueryData([1, operation], {}),
    isOld: (operation: Operation) => client.getQueryState([1, operation])?.isInvalidated,
  };
}
