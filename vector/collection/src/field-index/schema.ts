// SPDX-License-Identifier: Apache-2.0
/** Field indexes as they are asked for, checked and completed before they are stored. */
import { type FieldSchema, type FieldType, ServiceError } from '@sextant/contracts-vector';
import { stemmerOf } from '../filter/text/stemmer.ts';
import { stopWordsOf } from '../filter/text/stop-words.ts';
import { parseRequestPath } from '../payload/payload-change.ts';

/** An index of a collection; its ordinal is never used again, so that posting lists of a dropped index can never be mistaken for it. */
export type FieldIndex = { readonly field: string; readonly ordinal: number; readonly schema: FieldSchema };

type Option = Exclude<keyof FieldSchema, 'type'>;

const ANY_TYPE: readonly Option[] = ['on_disk', 'memory', 'enable_hnsw'];
const OPTIONS: Readonly<Record<FieldType, readonly Option[]>> = {
  keyword: ['is_tenant', 'prefix'],
  integer: ['lookup', 'range', 'is_principal'],
  float: ['is_principal'],
  bool: [],
  datetime: ['is_principal'],
  uuid: ['is_tenant'],
  geo: [],
  text: ['tokenizer', 'min_token_len', 'max_token_len', 'lowercase', 'ascii_folding', 'phrase_matching', 'stopwords', 'stemmer'],
};
const TOKENIZERS = ['prefix', 'whitespace', 'word', 'multilingual'];

/**
 * The schema with its defaults filled in, and without members that are null. Throws `ServiceError('invalid_request')` for an
 * option that the type does not have, or that contradicts another.
 */
export function normaliseFieldSchema(schema: FieldSchema): FieldSchema {
  const allowed = Object.hasOwn(OPTIONS, schema.type) ? [...OPTIONS[schema.type], ...ANY_TYPE] : undefined;
  if (allowed === undefined) refuse('type', `"${schema.type}" is not one of ${Object.keys(OPTIONS).join(', ')}`);
  const given = Object.fromEntries(Object.entries(schema).filter(([, value]) => value != null));
  const misfit = Object.keys(given).find((name) => name !== 'type' && !allowed.some((option) => option === name));
  if (misfit !== undefined) refuse(misfit, `is not an option of a ${schema.type} index; expected one of ${allowed.join(', ')}`);
  if (schema.type === 'text') checkText(schema);
  if (schema.type === 'integer' && schema.lookup === false && schema.range === false) {
    refuse('lookup', 'an integer index needs lookup or range, or both');
  }
  return { ...defaultsOf(schema.type), type: schema.type, ...given };
}

/** Whether a schema says no more than its type. */
export function isPlainSchema(schema: FieldSchema): boolean {
  return isSameSchema(schema, normaliseFieldSchema({ type: schema.type }));
}

/** The canonical name of the field that an index is for; the same field has one name, however it is spelled. */
export function fieldNameOf(fieldName: string): string {
  return parseRequestPath(fieldName, 'field_name').text;
}

/** Of two that were normalised. */
export function isSameSchema(a: FieldSchema, b: FieldSchema): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function defaultsOf(type: FieldType): Partial<FieldSchema> {
  if (type === 'integer') return { lookup: true, range: true };
  return type === 'text' ? { tokenizer: 'word', lowercase: true } : {};
}

function checkText(schema: FieldSchema): void {
  const { tokenizer, min_token_len: min, max_token_len: max } = schema;
  if (tokenizer != null && !TOKENIZERS.includes(tokenizer)) refuse('tokenizer', `"${tokenizer}" is not one of ${TOKENIZERS.join(', ')}`);
  checkLength('min_token_len', min, 0);
  checkLength('max_token_len', max, 1);
  if (min != null && max != null && min > max) refuse('min_token_len', `${min} is above max_token_len ${max}`);
  if (schema.stemmer != null && schema.stemmer.type !== 'snowball') refuse('stemmer.type', 'only "snowball" is supported');
  stemmerOf(schema.stemmer);
  stopWordsOf(schema.stopwords);
}

function checkLength(name: string, length: number | null | undefined, least: number): void {
  if (length != null && !(Number.isInteger(length) && length >= least))
    refuse(name, `expected an integer of at least ${least}, got ${length}`);
}

function refuse(member: string, reason: string): never {
  throw new ServiceError('invalid_request', { reason: `field_schema.${member}: ${reason}` });
}
