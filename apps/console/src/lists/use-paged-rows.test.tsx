/** @jest-environment jsdom */
import { expect, test } from '@jest/globals';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import type { PageRequest } from './first-rows.ts';
import { usePagedRows } from './use-paged-rows.ts';

const QUERY_KEY = ['1', 'rows'];
const BUCKETS = [{ cursor: null, first: null, count: 1 }];

test('rows are read when buckets arrive while the rows of earlier ones are being read', async () => {
  const load = ({ signal }: PageRequest) =>
    new Promise<{ items: { id: number }[]; next_cursor: null; has_more: boolean }>((done, fail) => {
      signal.addEventListener('abort', () => fail(new DOMException('aborted', 'AbortError')));
      setTimeout(() => done({ items: [{ id: 1 }], next_cursor: null, has_more: false }), 20);
    });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { result, rerender } = renderHook(
    (readAt: number) =>
      usePagedRows({ queryKey: QUERY_KEY, buckets: BUCKETS, readAt, isStale: false, load }),
    {
      initialProps: 1,
      wrapper: ({ children }) => (
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      ),
    },
  );
  result.current.show(0, 0);
  rerender(2);
  await waitFor(() => expect(result.current.rowAt(0)).toEqual({ id: 1 }));
  expect(result.current.error).toBeNull();
});
