/** @jest-environment jsdom */
import { expect, test } from '@jest/globals';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { ApiProvider } from '../client/api-context.tsx';
import type { Api } from '../client/api.ts';
import type { Job } from '../jobs/job.ts';
import { JobsProvider, useJobs } from '../jobs/jobs-context.tsx';
import { UndoProvider, useUndo, useUndoable } from './undo-context.tsx';

/** A service that takes operations back with jobs 1, 2, ... */
function fakeApi() {
  const asked: number[] = [];
  const send = (_: string, { path }: { path: { id: number } }) =>
    Promise.resolve({ body: { job_id: asked.push(path.id) } });
  return { api: { environment: 1, send } as unknown as Api, asked };
}

function open(api: Api) {
  const client = new QueryClient();
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <ApiProvider value={api}>
        <JobsProvider>
          <UndoProvider>{children}</UndoProvider>
        </JobsProvider>
      </ApiProvider>
    </QueryClientProvider>
  );
  const { result } = renderHook(() => ({ ...useUndoable(), ...useUndo(), jobs: useJobs() }), {
    wrapper,
  });
  const end = async (job: Partial<Job>) => {
    const followed = result.current.jobs.running[0]!;
    result.current.jobs.end(followed.id);
    followed.onEnd?.({ id: followed.id, error: null, done: 0, failed: 0, ...job } as Job);
    await Promise.resolve();
  };
  const takeBack = (run: () => Promise<void>, job: Partial<Job>) =>
    act(async () => {
      const undone = run();
      await new Promise((resolve) => setTimeout(resolve));
      await end(job);
      await undone;
    });
  return { result, takeBack };
}

test('an undo whose job was stopped leads to the job, goes on, and can be repeated', async () => {
  const { api, asked } = fakeApi();
  const { result, takeBack } = open(api);
  act(() => void result.current.done('5,000 images deleted', 7));
  const stopped = { error: 'cancelled', done: 1000, failed: 4000, operation_id: 9 };
  await takeBack(result.current.undo, stopped);
  expect(result.current.announcement).toMatchObject({
    text: 'Undone in part: 5,000 images deleted. The job was stopped.',
    canUndo: true,
    job: 1,
  });
  expect(result.current.lastUndone?.operationIds).toEqual([9]);
  await takeBack(result.current.undo, { done: 4000, operation_id: 10 });
  expect(result.current.announcement).toMatchObject({
    text: 'Undone: 5,000 images deleted',
    job: null,
  });
  expect(asked).toEqual([7, 7]);
  expect(result.current.lastDone).toBeNull();
});

test('an undo whose job was stopped before it began has undone nothing', async () => {
  const { result, takeBack } = open(fakeApi().api);
  act(() => void result.current.done('5,000 images deleted', 7));
  await takeBack(result.current.undo, { error: 'cancelled', failed: 5000, operation_id: null });
  expect(result.current.announcement?.text).toBe('Not undone: The job was stopped.');
  expect(result.current.lastDone?.operationIds).toEqual([7]);
  expect(result.current.lastUndone).toBeNull();
});
