/** @jest-environment jsdom */
import { expect, test } from '@jest/globals';
import { act, renderHook, waitFor } from '@testing-library/react';
import { decisionsFixture } from '../../testing/decisions-fixture.tsx';
import { type Group, useGroupReview } from './use-group-review.ts';

const MISSING = { detection_id: 2, error: { code: 'not_found', detail: 'It does not exist.' } };

test('people are read again after a group was confirmed, and faces that failed are named', async () => {
  const page = decisionsFixture({
    processed: 1,
    failed: 1,
    errors: [MISSING],
  });
  const { result } = renderHook(() => useGroupReview(() => undefined), { wrapper: page.wrapper });
  page.hasRead('listIdentitySummaries');
  const group = { identity_id: 7, label: 'Ida', count: 2 } as unknown as Group;
  act(() =>
    result.current.decide({
      group,
      asOf: '2020-01-01T00:00:00Z',
      min: undefined,
      except: [9],
      rejectsOthers: true,
    }),
  );
  // One face of the rejection and one of the confirmation no longer exist.
  await waitFor(() =>
    expect(page.announced()).toBe('1 face confirmed as Ida. 2 faces no longer exist.'),
  );
  await waitFor(() => expect(page.isOld('listIdentitySummaries')).toBe(true));
});
