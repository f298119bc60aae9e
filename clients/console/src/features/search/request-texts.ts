// SPDX-License-Identifier: Apache-2.0
/** A search as others would send it. No secret is in it: a variable of the environment stands in its place. */
import type { QueryPoints } from '@sextant/sdk';
import { jsonText } from '../../ui/json.ts';

type RequestFacts = { readonly url: string; readonly collection: string; readonly request: QueryPoints; readonly hasCredential: boolean };

export function curlText({ url, collection, request, hasCredential }: RequestFacts): string {
  const lines = [
    `curl -X POST ${quoted(`${url}/collections/${encodeURIComponent(collection)}/points/query`)}`,
    `-H 'Content-Type: application/json'`,
    ...(hasCredential ? ['-H "api-key: $VECTOR_KEY"'] : []),
    `-d ${quoted(jsonText(request))}`,
  ];
  return lines.join(' \\\n  ');
}

export function typescriptText({ url, collection, request, hasCredential }: RequestFacts): string {
  const options = hasCredential ? `{ url: ${JSON.stringify(url)}, apiKey: process.env.VECTOR_KEY }` : `{ url: ${JSON.stringify(url)} }`;
  return [
    "import { VectorClient } from '@sextant/sdk';",
    '',
    `const vector = new VectorClient(${options});`,
    `const hits = await vector.collection(${JSON.stringify(collection)}).query(${literal(request)});`,
    '',
  ].join('\n');
}

/** For a shell: within single quotes nothing means anything but the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** JSON is TypeScript too, but for integers beyond 2^53. */
function literal(value: unknown): string {
  const marked = JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? `\u007fbigint:${each}` : each), 2);
  return marked.replaceAll(/"\u007fbigint:(\d+)"/g, '$1n');
}
