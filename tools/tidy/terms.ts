// SPDX-License-Identifier: Apache-2.0
/** Words that the house does not use, as the field has its own: in names, comments, texts and pages alike. */
import type { Finding, SourceFile } from './source.ts';

export type RetiredTerm = {
  /** A word or words, in small letters; it is found as part of a name too, as `sweepRows` and `rowSweep`. */
  readonly term: string;
  readonly instead: string;
  /** Where it is looked for: what the path begins with. Everywhere unless given. */
  readonly only?: readonly string[];
  /** Where it means something else, or is a name that others gave. */
  readonly except?: readonly string[];
};

const VECTOR = ['vector/', 'system-tests/', 'docs/'];

/** The list of terms that are used is docs/glossary.md. */
export const RETIRED_TERMS: readonly RetiredTerm[] = [
  { term: 'beam', instead: 'ef, or efSearch' },
  { term: 'beam width', instead: 'ef, or efSearch' },
  { term: 'sweep', instead: 'quantized flat scan', only: VECTOR },
  { term: 'book', instead: 'codebook', only: ['vector/kernel/', 'vector/collection/src/model/', 'vector/collection/src/writes/'] },
  { term: 'by book', instead: 'codebook' },
  { term: 'breathe', instead: 'yield, or throttle' },
  { term: 'gives its core away', instead: 'yields' },
  { term: 'held against', instead: 'compared with, or evaluated on' },
  { term: 'aim at', instead: 'setQuery', only: ['vector/kernel/'] },
  { term: 'way in', instead: 'request overhead' },
  { term: 'hundredths', instead: 'per cent' },
  { term: 'sureness', instead: 'confidence' },
  { term: 'judgement', instead: 'evaluation' },
  { term: 'speaks at', instead: 'needs n scans' },
  { term: 'lit', instead: 'highlighted', only: ['clients/console/', 'docs/'] },
  { term: 'crew', instead: 'locks' },
  { term: 'deed', instead: 'action' },
  { term: 'furnished', instead: 'seeded' },
  { term: 'estate', instead: 'seeded tenant' },
  { term: 'world', instead: 'fixture', only: ['system-tests/'] },
  { term: 'twin', instead: 'reference implementation' },
  { term: 'scrambled', instead: 'mixK1' },
  { term: 'tellable', instead: 'toClientError' },
  { term: 'told of', instead: 'announced, or notified of' },
  { term: 'given back', instead: 'released' },
  { term: 'give back', instead: 'release' },
  { term: 'let go', instead: 'released' },
  { term: 'anew', instead: 'again' },
];

const LETTER = /[a-z]/;
/** This list, and what was written in the words of its time. */
const EXEMPT = ['tools/tidy/terms', 'CHANGELOG.md'];

export function checkTerms(files: readonly SourceFile[], terms: readonly RetiredTerm[] = RETIRED_TERMS): readonly Finding[] {
  const rules = terms.map((term) => ({ ...term, pattern: patternOf(term.term) }));
  return files.flatMap(({ path, text }) => {
    const own = rules.filter(({ only, except = [] }) => (only?.some(isAbove(path)) ?? true) && ![...EXEMPT, ...except].some(isAbove(path)));
    const found = own.filter(({ pattern }) => pattern.test(text));
    if (found.length === 0) return [];
    return text
      .split('\n')
      .flatMap((line, index) =>
        found
          .filter(({ pattern }) => pattern.test(line))
          .map(({ term, instead }) => ({ path, line: index + 1, message: `says "${term}"; the term is ${instead}` })),
      );
  });
}

function isAbove(path: string): (start: string) => boolean {
  return (start) => path.startsWith(start);
}

/** The words in prose, in `camelCase`, in `PascalCase`, in `UPPER_CASE` and in `kebab-case`, and their plural. */
function patternOf(term: string): RegExp {
  const words = term.split(' ');
  const small = words.join('[ -]');
  const camel = words.map((word, index) => (index === 0 ? word : capitalised(word))).join('');
  const pascal = words.map(capitalised).join('');
  const upper = words.join('[ _]').toUpperCase();
  const end = `s?(?!${LETTER.source})`;
  return new RegExp(
    `(?<![A-Za-z])(?:${small}|${camel})${end}|(?:${pascal}|(?<![A-Z])${capitalised(small)})${end}|(?<![A-Z])${upper}S?(?![A-Za-z])`,
  );
}

function capitalised(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
