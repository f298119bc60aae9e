// SPDX-License-Identifier: Apache-2.0
import { type Endpoint, endpoints, type Requirement } from '@sextant/contracts-observability';
import { code, generatedPage, table } from './markdown.ts';

/** Every endpoint of the observability service, by family. */
export function observabilityApiPage(): string {
  const families = Map.groupBy<string, Endpoint>(Object.values(endpoints), ({ tag }) => tag);
  const sections = [...families].map(([tag, rows]) => `## ${tag}\n\n${endpointTable(rows)}`);
  return generatedPage(
    'REST interface of the observability service',
    'A running service serves its complete description at `/openapi.json`, and as a page at `/docs`. *Needs* is the minimum role of the caller ' +
      'in the tenant; *(project)* means that the role in the project of the object suffices. The roles, from the highest to the lowest, are ' +
      'admin, editor, operator and viewer. An object of another tenant is not found.',
    'A credential is an access token from `POST /auth/token` or of the configured issuer (`Authorization: Bearer …`), or an API key ' +
      '(`X-TLM-Key: …`).',
    ...sections,
  );
}

function endpointTable(rows: readonly Endpoint[]): string {
  return table(
    ['Method', 'Path', 'Also at', 'Needs', 'Purpose'],
    rows.map(({ method, path, aliases, needs, summary }) => [
      method,
      code(path),
      aliases.map(code).join('<br>'),
      needsInWords(needs),
      summary,
    ]),
  );
}

function needsInWords(needs: Requirement): string {
  switch (needs.scope) {
    case 'public':
      return 'nothing';
    case 'platform':
      return 'the platform token';
    case 'self':
      return 'to be that user, or admin';
    case 'tenant':
      return needs.role;
    case 'projects':
      return `${needs.role} (project of each)`;
    case 'project':
      return `${needs.role} (project)`;
  }
}
