import { expect, test } from '@jest/globals';
import { pageOf } from './page-of.ts';

test.each([
  ['/console/sign-out', '/sign-out'],
  ['/console/sign-in', undefined],
  ['/console/7', '/$environment'],
  ['/console/7/people', '/$environment/people'],
  ['/console/7/people/12', '/$environment/people/$person'],
  ['/console/7/people/', '/$environment/people'],
  ['/console', '/$environment/overview'],
  ['/console/', '/$environment/overview'],
  ['/console/7/elsewhere', undefined],
  ['/consoles/7/people', undefined],
])('%s is shown by %s', (pathname, page) => {
  expect(pageOf(pathname)).toBe(page);
});
