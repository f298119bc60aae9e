// SPDX-License-Identifier: Apache-2.0
import { type Endpoint, endpoints, type Requirement } from '@sextant/contracts-observability';
import { code, generatedPage, table } from './markdown.ts';

/** Every endpoint of the observability service, by family. */
export function observabilityApiPage(): string {
  const families = Map.groupBy<string, Endpoint>(Object.values(endpoints), ({ tag }) => tag);
  const sections = [...families].map(([tag, rows]) => `## ${tag}\n\n${endpointTable(rows)}`);
  return generatedPage(
    'REST interface of the observability service',
    'A running service describes itself in full at `/openapi.json`, and to readers at `/docs`. *Needs* is the role that a caller has to ' +
      'have at least, in the tenant; *(project)* says that the role in the project of the object suffices. From most to least the roles are ' +
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
      return 'the token of the platform';
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
