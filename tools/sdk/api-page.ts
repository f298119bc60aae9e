// SPDX-License-Identifier: Apache-2.0
/** The reference of the SDK, so that a review sees when what it offers changes. */
import { generatedPage } from '../generate/markdown.ts';
import { type Declaration, isComputed, sdkDeclarations } from './declarations.ts';

export type SdkPages = { readonly sdk: string; readonly vectorTypes: string; readonly observabilityTypes: string };

export function sdkPages(): SdkPages {
  const declarations = sdkDeclarations();
  const written = declarations.filter(({ path }) => path !== 'index.d.ts' && !path.endsWith('.generated.d.ts') && !isComputed(path));
  return {
    sdk: generatedPage(
      '@sextant/sdk',
      'What the package offers, as the compiler declares it; [how to use it](../how-to/clients/sdk.md) is another page. Requests and answers have the types of ' +
        'the [vector service](sdk-vector-types.md) and of the [observability service](sdk-observability-types.md), and each operation of the latter is a ' +
        '[method](sdk-observability-types.md#methods).',
      ...written.map((declaration) => `## ${declaration.path.replace(/\.d\.ts$/, '')}\n\n${codeOf(declaration)}`),
    ),
    vectorTypes: typesPage('vector', declarations),
    observabilityTypes: typesPage('observability', declarations),
  };
}

function typesPage(service: 'vector' | 'observability', declarations: readonly Declaration[]): string {
  const parts = declarations.filter(({ path }) => path.startsWith(`contract/${service}-`) && isComputed(path));
  return generatedPage(
    `@sextant/sdk: types of the ${service} service`,
    `What [the SDK](sdk.md) sends to the ${service} service and gets from it. The types follow from the schemas that the service checks with.`,
    ...parts.map((part) => (part.path.endsWith('-methods.d.ts') ? `## Methods\n\n${codeOf(part)}` : codeOf(part))),
  );
}

/** Without imports, which say nothing to a reader. */
function codeOf({ text }: Declaration): string {
  const tidied = text
    .replaceAll(/^import [^;]*;\n/gm, '')
    .replaceAll(/^export \{\};\n/gm, '')
    .trim();
  return `\`\`\`ts\n${tidied}\n\`\`\``;
}
