import { createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { signMessage } from './sign-message.ts';

const MESSAGE = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1_614_265_330,
  body: Buffer.from('{"test": 2432232314}'),
};

test('the signature equals the example of Standard Webhooks', () => {
  const headers = signMessage({ ...MESSAGE, secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] });
  expect(headers).toMatchObject({
    'webhook-id': MESSAGE.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('the signature of the service covers the raw body, with the current secret as key', () => {
  const { 'X-Service-Signature': signature, 'webhook-signature': standard } = signMessage({
    ...MESSAGE,
    secrets: ['né', 'old'],
  });
  const hex = createHmac('sha256', Buffer.from('né')).update(MESSAGE.body).digest('hex');
  expect(signature).toBe(`sha256=${hex}`);
  const ofBoth = ['né', 'old'].map((secret) => {
    const signed = `${MESSAGE.id}.${MESSAGE.timestamp}.${MESSAGE.body.toString()}`;
    return `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`;
  });
  expect(standard).toBe(ofBoth.join(' '));
});

test('without a secret, a message is not signed', () => {
  expect(signMessage({ ...MESSAGE, secrets: [] })).toEqual({
    'webhook-id': MESSAGE.id,
    'webhook-timestamp': '1614265330',
  });
});
