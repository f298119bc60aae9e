// SPDX-License-Identifier: Apache-2.0
/** Words cut to their stems by the Snowball algorithms (snowballstem.org), as generated for the package `snowball-stemmers`. */
import { type FieldSchema, ServiceError } from '@sextant/contracts-vector';
import snowball from 'snowball-stemmers';

/** A stem takes some 15 microseconds, and most words of a text are among those of the last ones. Half a megabyte for each analyzer. */
const REMEMBERED_MAX = 10_000;

/**
 * The stemmer of a schema, or undefined for none. An unknown language is refused with the known ones named.
 * @param place of the schema in the request
 */
export function stemmerOf(stemmer: FieldSchema['stemmer'], place = 'field_schema'): ((word: string) => string) | undefined {
  if (stemmer == null) return undefined;
  if (!hasStemmer(stemmer.language)) {
    const known = snowball.algorithms().join(', ');
    const reason = `${place}.stemmer.language: no Snowball stemmer for "${stemmer.language}"; expected one of ${known}`;
    throw new ServiceError('invalid_request', { reason });
  }
  const stemming = snowball.newStemmer(stemmer.language.toLowerCase());
  return remembering((word) => stemming.stem(word));
}

export function hasStemmer(language: string): boolean {
  return snowball.algorithms().includes(language.toLowerCase());
}

function remembering(stem: (word: string) => string): (word: string) => string {
  const known = new Map<string, string>();
  return (word) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    if (known.size === REMEMBERED_MAX) known.clear();
    const stemmed = stem(word);
    known.set(word, stemmed);
    return stemmed;
  };
}
