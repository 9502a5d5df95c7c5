/** @jest-environment jsdom */
import { expect, test } from '@jest/globals';
import { act, renderHook, waitFor } from '@testing-library/react';
import { decisionsFixture } from '../../testing/decisions-fixture.tsx';
import { useGroupDecisions } from './use-group-decisions.ts';
import type { FaceGroup } from './use-groups.ts';

const CHANGED = { detection_id: 2, error: { code: 'changed_since', detail: 'It has changed.' } };

test('a group of which every face failed says so, and people are read again', async () => {
  const page = decisionsFixture({
    processed: 0,
    failed: 2,
    errors: [CHANGED, CHANGED],
    identity_id: 7,
    label: 'Ada',
    created: false,
  });
  const { result } = renderHook(() => useGroupDecisions({ onDecided: () => undefined }), {
    wrapper: page.wrapper,
  });
  page.hasRead('listIdentitySummaries');
  page.hasRead('listImages');
  const groups = [{ cluster_id: 'c', size: 2 } as unknown as FaceGroup];
  const person = { id: null, label: 'Ada' };
  act(() =>
    result.current.decide({
      groups,
      out: new Set(),
      task: { kind: 'name', person, rejectsOthers: false },
    }),
  );
  await waitFor(() => expect(page.announced()).toBe('2 could not be changed.'));
  await waitFor(() => expect(page.isOld('listIdentitySummaries')).toBe(true));
  expect(page.isOld('listImages')).toBe(true);
});
