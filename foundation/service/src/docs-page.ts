// SPDX-License-Identifier: Apache-2.0
/**
 * The OpenAPI document as one page: rendered on the server, without scripts and without a fetch, so that it reads the same on a machine
 * that has no way out.
 */
import { createHash } from 'node:crypto';
import type { DocumentedOperation, OpenApiDocument } from '@sextant/foundation-contract';
import { stringifyJson } from '@sextant/foundation-std';

export type DocsPage = { readonly html: string; readonly contentSecurityPolicy: string };

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; color: #1b1f24; background: #fff; }
h1 { margin-bottom: 0; } h2 { margin-top: 2.5rem; border-bottom: 1px solid #d0d7de; }
nav a { margin-right: 1rem; }
details { border: 1px solid #d0d7de; border-radius: 6px; margin: .5rem 0; padding: .25rem .75rem; }
summary { cursor: pointer; padding: .25rem 0; overflow-wrap: anywhere; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { background: #f6f8fa; padding: .75rem; overflow: auto; border-radius: 6px; }
.method { display: inline-block; min-width: 4rem; font-weight: 600; color: #0550ae; }
table { border-collapse: collapse; } td, th { text-align: left; padding: .15rem 1rem .15rem 0; vertical-align: top; }
@media (prefers-color-scheme: dark) {
  body { color: #e6edf3; background: #0d1117; } pre { background: #161b22; } a, .method { color: #79c0ff; }
  details, h2 { border-color: #30363d; }
}`;

type Row = { readonly method: string; readonly path: string; readonly operation: DocumentedOperation };

export function docsPage(document: OpenApiDocument): DocsPage {
  const byTag = Map.groupBy(rowsOf(document), ({ operation }) => operation.tags[0] ?? 'Other');
  const tags = [...byTag.keys()];
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(document.info.title)}</title><style>${STYLE}</style></head>
<body>
<h1>${escapeHtml(document.info.title)}</h1>
<p>Version ${escapeHtml(document.info.version)}. ${escapeHtml(document.info.description)} The same as <a href="/openapi.json">OpenAPI 3.1</a>.</p>
<nav>${[...tags, 'Schemas'].map((tag) => `<a href="#${anchor(tag)}">${escapeHtml(tag)}</a>`).join('')}</nav>
${tags.map((tag) => `<h2 id="${anchor(tag)}">${escapeHtml(tag)}</h2>\n${(byTag.get(tag) ?? []).map(renderRow).join('\n')}`).join('\n')}
<h2 id="schemas">Schemas</h2>
${Object.entries(document.components.schemas).map(renderSchema).join('\n')}
</body>
</html>`;
  const styleHash = createHash('sha256').update(STYLE).digest('base64');
  return { html, contentSecurityPolicy: `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'` };
}

function rowsOf({ paths }: OpenApiDocument): readonly Row[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

function renderRow({ method, path, operation }: Row): string {
  const { summary, description, parameters, requestBody, responses } = operation;
  const body = requestBody?.content['application/json'];
  const [answered] = Object.values(responses[200]?.content ?? {});
  return `<details>
<summary><span class="method">${method}</span> <code>${escapeHtml(path)}</code> ${escapeHtml(summary)}</summary>
${description === undefined ? '' : `<p>${escapeHtml(description)}</p>`}
${parameters.length === 0 ? '' : `<h4>Parameters</h4>${table(parameters.map(({ name, in: place, description = '', schema }) => [name, place, description, stringifyJson(schema)]))}`}
${body === undefined ? '' : `<h4>Body</h4>${pretty(body.schema)}`}
${example('Example of a body', body?.example)}
<h4>Answers</h4>${table(Object.entries(responses).map(([status, response]) => [status, response.description]))}
${example('Example of an answer', answered?.example)}
</details>`;
}

function renderSchema([name, schema]: [string, unknown]): string {
  // A browser opens the details around the target of a link, not the details that are the target.
  return `<details><summary><code>${escapeHtml(name)}</code></summary><div id="schema-${anchor(name)}">${pretty(schema)}</div></details>`;
}

/** JSON whose references lead to the schema that they name. */
function pretty(schema: unknown): string {
  const text = escapeHtml(stringifyJson(schema, 2));
  return `<pre>${text.replaceAll(/#\/components\/schemas\/(\w+)/g, (_reference, name: string) => `<a href="#schema-${anchor(name)}">${name}</a>`)}</pre>`;
}

function example(heading: string, value: unknown): string {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : stringifyJson(value, 2);
  return `<h4>${heading}</h4><pre>${escapeHtml(text)}</pre>`;
}

function table(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => `<tr>${row.map((cell) => `<td><code>${escapeHtml(cell)}</code></td>`).join('')}</tr>`);
  return `<table>${cells.join('')}</table>`;
}

function anchor(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
