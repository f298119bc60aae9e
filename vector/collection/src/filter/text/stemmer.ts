/** Words cut to their stems by the Snowball algorithms (snowballstem.org), as generated for the package `snowball-stemmers`. */
import { type FieldSchema, ServiceError } from '@sextant/contracts-vector';
import snowball from 'snowball-stemmers';

/** The stemmer of a schema, or undefined for none. An unknown language is refused with the known ones named. */
export function stemmerOf(stemmer: FieldSchema['stemmer']): ((word: string) => string) | undefined {
  if (stemmer == null) return undefined;
  const algorithm = stemmer.language.toLowerCase();
  const known = snowball.algorithms();
  if (!known.includes(algorithm)) {
    const reason = `field_schema.stemmer.language: no Snowball stemmer for "${stemmer.language}"; known are ${known.join(', ')}`;
    throw new ServiceError('invalid_request', { reason });
  }
  const stemming = snowball.newStemmer(algorithm);
  return (word) => stemming.stem(word);
}
