import { capabilities, type Endpoint, endpoints } from '@sextant/contracts-vector';
import { code, generatedPage, table } from './markdown.ts';

/** Every endpoint of the vector service, by family. */
export function apiPage(): string {
  const families = Map.groupBy<string, Endpoint>(Object.values(endpoints), ({ tag }) => tag);
  const sections = [...families].map(([tag, rows]) => `## ${tag}\n\n${endpointTable(rows)}`);
  return generatedPage(
    'REST interface',
    'A running service describes itself in full at `/openapi.json`, and to readers at `/docs`. *Needs* is the permission that a caller ' +
      'wants while authentication is enforced.',
    ...sections,
    '## Not served by this release',
    'These answer 501.',
    table(
      ['Method', 'Path', 'Group'],
      capabilities.flatMap(({ name, endpoints: paths }) => paths.map(({ method, path }) => [method, code(path), name])),
    ),
  );
}

function endpointTable(rows: readonly Endpoint[]): string {
  return table(
    ['Method', 'Path', 'Needs', 'Purpose'],
    rows.map(({ method, path, needs, summary }) => [method, code(path), needs, summary]),
  );
}
