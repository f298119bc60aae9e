// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { signed } from './signature-v4.ts';

/** `post-vanilla` of the test suite that AWS publishes for Signature Version 4. */
test('a request is signed as the published test suite says', () => {
  const keys = { accessKey: 'AKIDEXAMPLE', secretKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY', sessionToken: undefined };
  const url = new URL('https://example.amazonaws.com/');
  const request = { url, headers: {}, body: '', region: 'us-east-1', service: 'service', nowMs: Date.UTC(2015, 7, 30, 12, 36) };
  expect(signed(request, keys).authorization).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, ' +
      'Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  );
  expect(signed(request, { ...keys, sessionToken: 'a' })).toMatchObject({ 'x-amz-security-token': 'a' });
});
