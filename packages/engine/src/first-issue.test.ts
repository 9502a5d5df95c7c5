import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { firstIssue } from './first-issue.ts';

const schema = z.object({ models: z.array(z.object({ name: z.string('must be a text') })) });

test.each([
  [{ models: [{ name: 1 }] }, 'models.0.name: must be a text'],
  [[], 'Invalid input: expected object, received array'],
])('describes the fault of %j', (document, fault) => {
  expect(firstIssue(schema.safeParse(document).error!)).toBe(fault);
});
