// SPDX-License-Identifier: Apache-2.0
/**
 * Words that say little about a text, by language. The lists are those of @orama/stopwords 3.1 (Apache-2.0), under its names of the languages.
 * Left out are its lists for Slovenian (which holds Russian words), and Lithuanian, Serbian and Turkish (wrongly decoded letters).
 */

import { stopwords as arabic } from '@orama/stopwords/arabic';
import { stopwords as armenian } from '@orama/stopwords/armenian';
import { stopwords as bulgarian } from '@orama/stopwords/bulgarian';
import { stopwords as danish } from '@orama/stopwords/danish';
import { stopwords as dutch } from '@orama/stopwords/dutch';
import { stopwords as english } from '@orama/stopwords/english';
import { stopwords as finnish } from '@orama/stopwords/finnish';
import { stopwords as french } from '@orama/stopwords/french';
import { stopwords as german } from '@orama/stopwords/german';
import { stopwords as greek } from '@orama/stopwords/greek';
import { stopwords as hungarian } from '@orama/stopwords/hungarian';
import { stopwords as indian } from '@orama/stopwords/indian';
import { stopwords as indonesian } from '@orama/stopwords/indonesian';
import { stopwords as irish } from '@orama/stopwords/irish';
import { stopwords as italian } from '@orama/stopwords/italian';
import { stopwords as japanese } from '@orama/stopwords/japanese';
import { stopwords as mandarin } from '@orama/stopwords/mandarin';
import { stopwords as nepali } from '@orama/stopwords/nepali';
import { stopwords as norwegian } from '@orama/stopwords/norwegian';
import { stopwords as portuguese } from '@orama/stopwords/portuguese';
import { stopwords as romanian } from '@orama/stopwords/romanian';
import { stopwords as russian } from '@orama/stopwords/russian';
import { stopwords as sanskrit } from '@orama/stopwords/sanskrit';
import { stopwords as spanish } from '@orama/stopwords/spanish';
import { stopwords as swedish } from '@orama/stopwords/swedish';
import { stopwords as tamil } from '@orama/stopwords/tamil';
import { stopwords as ukrainian } from '@orama/stopwords/ukrainian';
import { type FieldSchema, ServiceError } from '@sextant/contracts-vector';

const LISTS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    arabic,
    armenian,
    bulgarian,
    danish,
    dutch,
    english,
    finnish,
    french,
    german,
    greek,
    hungarian,
    indian,
    indonesian,
    irish,
    italian,
    japanese,
    mandarin,
    nepali,
    norwegian,
    portuguese,
    romanian,
    russian,
    sanskrit,
    spanish,
    swedish,
    tamil,
    ukrainian,
  }),
);

/**
 * The stop words of a schema: a language, or languages and words of its own. An unknown language is refused with the known ones named.
 * @param place of the schema in the request
 */
export function stopWordsOf(stopwords: FieldSchema['stopwords'], place = 'field_schema'): ReadonlySet<string> {
  if (stopwords == null) return new Set();
  const { languages = [], custom = [] } = typeof stopwords === 'string' ? { languages: [stopwords] } : stopwords;
  return new Set([...languages.flatMap((language) => listOf(language, place)), ...custom]);
}

export function hasStopWords(language: string): boolean {
  return LISTS.has(language.toLowerCase());
}

function listOf(language: string, place: string): readonly string[] {
  const list = LISTS.get(language.toLowerCase());
  if (list !== undefined) return list;
  const known = [...LISTS.keys()].join(', ');
  throw new ServiceError('invalid_request', {
    reason: `${place}.stopwords: no list for the language "${language}"; expected one of ${known}`,
  });
}
