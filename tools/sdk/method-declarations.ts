// SPDX-License-Identifier: Apache-2.0
/** The methods of the observability client as the package declares them: one by one, so that an editor shows what the contract says of each. */
import { type Endpoint, endpoints } from '@sextant/contracts-observability';

export function methodDeclarations(): string {
  return [
    "import type { RequestOptions } from '../http/request-options.ts';",
    "import type { RequestOf, ResultOf } from '../observability/request.ts';",
    '/** Every operation of the observability service as a method. */',
    `export declare abstract class ObservabilityMethods {\n${Object.entries<Endpoint>(endpoints).map(declarationOf).join('')}}\n`,
  ].join('\n');
}

/** A method takes everything in one object; paths below `tenant` get that from the client. */
function declarationOf([id, { summary, path, query, body, bodyKind }]: readonly [string, Endpoint]): string {
  if (bodyKind === 'stream') return '';
  const schemas: readonly Members[] = [query, body].filter((schema) => schema !== undefined);
  const hasParams = /\{(?!tenant\})/.test(path);
  const mark = hasParams || !schemas.every(allOptional) ? '' : '?';
  const request = hasParams || schemas.length > 0 ? `request${mark}: RequestOf<'${id}'>, ` : '';
  const name = id.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return `    /** ${summary}. */\n    ${name}(${request}options?: RequestOptions): Promise<ResultOf<'${id}'>>;\n`;
}

type Members = { readonly required?: readonly string[]; readonly anyOf?: unknown };

function allOptional({ required = [], anyOf }: Members): boolean {
  return anyOf === undefined && required.length === 0;
}
