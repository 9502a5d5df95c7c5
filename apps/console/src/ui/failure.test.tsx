/** @jest-environment jsdom */
import { afterEach, expect, jest, test } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { ProblemError, UnreachableError } from '../client/api-error.ts';
import { LocaleProvider } from '../messages/locale-context.tsx';
import { Failure, fieldErrors } from './failure.tsx';

afterEach(cleanup);

const refusal = (code: 'identity_exists' | 'forbidden' | 'invalid_request') =>
  new ProblemError(
    {
      type: 'about:blank',
      title: 'Refused',
      status: 409,
      detail: 'Another person has the label.',
      code,
      request_id: 'req-17',
      errors: [{ path: 'label', message: 'Too long' }],
    },
    null,
  );

test('a refusal is shown in the words of the service, with the id of the request', () => {
  render(<Failure error={refusal('identity_exists')} />);
  const alert = screen.getByRole('alert');
  expect(alert.textContent).toContain('Another person has the label.');
  expect(alert.textContent).toContain('req-17');
  expect(screen.queryByRole('button')).toBeNull();
});

test('what failed for a while can be tried again', async () => {
  const retry = jest.fn();
  render(<Failure error={new UnreachableError('no answer')} onRetry={retry} />);
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(retry).toHaveBeenCalledTimes(1);
});

test('the sentences are in the language of the person', () => {
  render(
    <LocaleProvider value="de-AT">
      <Failure error={new UnreachableError('no answer')} />
    </LocaleProvider>,
  );
  expect(screen.getByRole('alert').textContent).toContain('Der Dienst antwortet nicht');
});

test('the service names the members that are wrong', () => {
  expect(fieldErrors(refusal('invalid_request'))).toEqual({ label: 'Too long' });
  expect(fieldErrors(new Error('other'))).toEqual({});
});
