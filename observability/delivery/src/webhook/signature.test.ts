// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { generateWebhookSecret, signatureHeaders } from './signature.ts';

test('a signature is the one that the libraries of Standard Webhooks expect', () => {
  // The example of https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
  const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestampSeconds: 1_614_265_330, body: '{"test": 2432232314}' };
  expect(signatureHeaders(message, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('with several secrets there are several signatures, and without one there is none', () => {
  const message = { id: 'd1', timestampSeconds: 1, body: '{}' };
  const [first, second] = [generateWebhookSecret(), generateWebhookSecret()];
  const both = signatureHeaders(message, [first, second])['webhook-signature'];
  expect(both?.split(' ')).toEqual([first, second].map((secret) => signatureHeaders(message, [secret])['webhook-signature']));
  expect(signatureHeaders(message, [])).not.toHaveProperty('webhook-signature');
});

test('a secret has 32 bytes and never comes twice', () => {
  const secret = generateWebhookSecret();
  expect(secret).toMatch(/^whsec_/);
  expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
  expect(generateWebhookSecret()).not.toBe(secret);
});
