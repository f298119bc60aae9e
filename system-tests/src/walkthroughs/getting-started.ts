// SPDX-License-Identifier: Apache-2.0
/** The tutorial Getting started, which says the same in several languages. */
import { readFileSync } from 'node:fs';

const PAGE = readFileSync(new URL('../../../docs/tutorials/getting-started.md', import.meta.url), 'utf8');

/** The blocks of a section as one program, and what the page says that it prints. */
export function gettingStarted(language: string, addresses: { readonly vector: string; readonly observability: string }) {
  const text = new RegExp(`^## With ${language}\\n(.*?)(?=^## )`, 'ms').exec(PAGE)?.[1] ?? '';
  const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, kind = '', block = '']) => ({ kind, block }));
  const of = (isPrinted: boolean) => blocks.filter(({ kind }) => (kind === 'text') === isPrinted).map(({ block }) => block);
  return {
    program: of(false)
      .join('\n')
      .replaceAll('http://localhost:6573', addresses.vector)
      .replaceAll('http://localhost:6580', addresses.observability),
    printed: of(true).join(''),
  };
}
