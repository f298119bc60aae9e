import { generatedPage } from '../generate/markdown.ts';
import { sdkDeclarations } from './declarations.ts';

/** What the SDK offers, so that a review sees when it changes. */
export function sdkPage(): string {
  const written = sdkDeclarations().filter(({ path }) => path !== 'index.d.ts' && !path.endsWith('.generated.d.ts'));
  const sections = written.map(({ path, text }) => `## ${path.replace(/\.d\.ts$/, '')}\n\n\`\`\`ts\n${tidied(text)}\n\`\`\``);
  return generatedPage(
    '@sextant/sdk',
    'What the package offers, as the compiler declares it; [how to use it](../how-to/clients/sdk.md) is another page. Requests and answers have the types of ' +
      'the [vector service](../../clients/sdk/src/contract/vector-types.generated.ts) and of the ' +
      '[observability service](../../clients/sdk/src/contract/observability-types.generated.ts), and each operation of the latter is a ' +
      '[method](../../clients/sdk/src/contract/observability-methods.generated.ts).',
    ...sections,
  );
}

/** Without imports, which say nothing to a reader. */
function tidied(text: string): string {
  return text
    .replaceAll(/^import [^;]*;\n/gm, '')
    .replaceAll(/^export \{\};\n/gm, '')
    .trim();
}
