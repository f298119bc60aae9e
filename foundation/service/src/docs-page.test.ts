// SPDX-License-Identifier: Apache-2.0
import type { OpenApiDocument } from '@sextant/foundation-contract';
import { expect, test } from 'vitest';
import { docsPage } from './docs-page.ts';

const document: OpenApiDocument = {
  openapi: '3.1.0',
  info: { title: 'A <b>service</b>', version: '1', description: 'Does "things".' },
  paths: {
    '/a/{id}': {
      get: {
        operationId: 'get_a',
        tags: ['First things'],
        summary: 'Read one & only',
        parameters: [{ name: 'id', in: 'path', required: true, description: 'Which <one>.', schema: { type: 'string' } }],
        responses: {
          200: { description: 'Success', content: { 'application/json': { schema: {}, example: { a: '<i>' } } } },
          404: { description: 'Not <found>' },
        },
      },
      put: {
        operationId: 'put_a',
        tags: ['First things'],
        summary: 'Write one',
        parameters: [],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
        responses: {},
      },
    },
  },
  components: { schemas: { Thing: { type: 'object' } }, securitySchemes: {} },
};

test('the page lists every operation, and nothing of the document becomes markup', () => {
  const { html } = docsPage(document);
  expect(html).toContain('<span class="method">GET</span> <code>/a/{id}</code> Read one &amp; only');
  expect(html).toContain('<span class="method">PUT</span>');
  expect(html).toContain('A &lt;b&gt;service&lt;/b&gt;');
  expect(html).toContain('Not &lt;found&gt;');
  expect(html).toContain('Which &lt;one&gt;.');
  expect(html).toContain('<h4>Example of an answer</h4><pre>{\n  &quot;a&quot;: &quot;&lt;i&gt;&quot;\n}</pre>');
  expect(html).not.toMatch(/<[bi]>/);
});

test('a reference leads to the schema that it names', () => {
  const { html } = docsPage(document);
  expect(html).toContain('<a href="#schema-thing">Thing</a>');
  expect(html).toContain('<div id="schema-thing">');
});

test('the policy allows the one style of the page and nothing else', () => {
  const { html, contentSecurityPolicy } = docsPage(document);
  expect(html).not.toContain('<script');
  expect(contentSecurityPolicy).toMatch(
    /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]+'; frame-ancestors 'none'; base-uri 'none'$/,
  );
});
