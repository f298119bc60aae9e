// SPDX-License-Identifier: Apache-2.0
import { builtCapabilities, capabilities, type Endpoint, type Requirement } from '@sextant/contracts-vector';
import { endpoints } from '@sextant/contracts-vector/schemas';
import { code, generatedPage, table } from './markdown.ts';

const NEEDS: { readonly [Name in Requirement]: string } = {
  none: 'nothing',
  read: 'read',
  write: 'write',
  admin: 'admin',
  admin_jwt: "the admin's JWT, enforced or not",
  tokens: 'admin; refused while authentication is not enforced',
  create_admin: 'a program on this machine, or a browser with the setup code; admin, once there is one',
  reset_password: "a caller on this machine with the admin's JWT or the setup code",
};

/** Every endpoint of the vector service, by family. */
export function apiPage(): string {
  const always = Object.values<Endpoint>(endpoints).filter(({ capability }) => capability === undefined);
  const families = Map.groupBy(always, ({ tag }) => tag);
  const sections = [...families].map(([tag, rows]) => `## ${tag}\n\n${endpointTable(rows)}`);
  return generatedPage(
    'REST interface',
    'A running service serves its complete description at `/openapi.json`, and as a page at `/docs`. *Needs* is the credential that a caller needs while ' +
      "authentication is enforced: an access token with that permission, or the admin's JWT, which has all permissions.",
    ...sections,
    '## Groups that are disabled by default',
    'These endpoints answer 501 until `SERVICE_CAPABILITIES` names their group, or is `all`. This release does not support groups without a name.',
    table(
      ['Method', 'Path', 'Group', 'Name'],
      capabilities.flatMap(({ name, title, endpoints: paths }) =>
        paths.map(({ method, path }) => [method, code(path), title, builtCapabilities.includes(name) ? code(name) : '']),
      ),
    ),
  );
}

function endpointTable(rows: readonly Endpoint[]): string {
  return table(
    ['Method', 'Path', 'Needs', 'Purpose'],
    rows.map(({ method, path, needs, summary }) => [method, code(path), NEEDS[needs], summary]),
  );
}
