// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { curlText, typescriptText } from './request-texts.ts';

const facts = {
  url: 'http://127.0.0.1:6573',
  collection: 'my places',
  request: { query: 18446744073709551615n, filter: { must: [{ key: 'name', match: { value: "it's" } }] }, limit: 3 },
  hasCredential: true,
};

test('a command for a shell, safely quoted, with the name of a variable instead of the secret', () => {
  expect(curlText(facts)).toBe(
    [
      `curl -X POST 'http://127.0.0.1:6573/collections/my%20places/points/query' \\`,
      `  -H 'Content-Type: application/json' \\`,
      `  -H "api-key: $VECTOR_KEY" \\`,
      String.raw`  -d '{"query":18446744073709551615,"filter":{"must":[{"key":"name","match":{"value":"it'\''s"}}]},"limit":3}'`,
    ].join('\n'),
  );
  expect(curlText({ ...facts, hasCredential: false })).not.toContain('api-key');
});

test('TypeScript, with large ids as they are', () => {
  const text = typescriptText(facts);
  expect(text).toContain('"query": 18446744073709551615n');
  expect(text).toContain('apiKey: process.env.VECTOR_KEY');
  expect(typescriptText({ ...facts, hasCredential: false })).toContain('new VectorClient({ url: "http://127.0.0.1:6573" })');
});
