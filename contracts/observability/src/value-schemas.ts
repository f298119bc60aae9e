// SPDX-License-Identifier: Apache-2.0
/** The small values that many bodies share. */
import { queryInteger as integerText, jsonObject, queryFlag } from '@sextant/foundation-contract';
import Type, { type TSchema } from 'typebox';
import { parseTimestamp } from './timestamp.ts';

/** Longest name of anything. */
const NAME_MAX = 255;

/** A name that people gave: not empty, no control characters. */
export const name = Type.String({
  pattern: `^[^\\u0000-\\u001f\\u007f]{1,${NAME_MAX}}$`,
  'x-expected': `1 to ${NAME_MAX} characters without control characters`,
});

export const description = Type.String({ maxLength: 4096 });
export const text = Type.String({ maxLength: 1024 });
export const tags = Type.Array(name, { maxItems: 100 });

/** The local part and the domain of an address, as far as a form can tell (RFC 5321, section 4.5.3.1 for the length). */
export const email = Type.String({
  pattern: '^(?=.{3,254}$)[^\\s@<>"]+@[^\\s@<>"]+$',
  'x-expected': 'an e-mail address',
});

export const password = Type.String({ minLength: 1, maxLength: 1024 });

export const webAddress = Type.String({
  pattern: '^https?://[^\\s/?#]+[^\\s]{0,2000}$',
  'x-expected': 'an http or https address',
});

/** As the service writes it: UTC, milliseconds, `Z`. */
export const timestamp = Type.String({ format: 'date-time' });

/** What `parseTimestamp` reads. */
export const timestampInput = Type.Refine(
  Type.String({ maxLength: 64, description: 'ISO 8601.' }),
  (written) => parseTimestamp(written) !== undefined,
  (written) => `expected an ISO 8601 timestamp such as 2026-01-31T12:00:00.000Z, got ${JSON.stringify(written)}`,
);

/** An object of free names, each with the same kind of value. */
export function mapOf<S extends TSchema>(schema: S, maxProperties: number) {
  // Without `additionalProperties: false`, members whose names do not match would pass unchecked.
  return Type.Record(Type.String({ pattern: '^[\\s\\S]{1,1024}$' }), schema, {
    additionalProperties: false,
    maxProperties,
    'x-names': '1 to 1024 characters',
  });
}

export const freeObject = jsonObject;

export function nullable<S extends TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()]);
}

/** The members of an answer; later releases may add some. */
export function answer<P extends Record<string, TSchema>>(title: string, members: P) {
  return Type.Object(members, { title });
}

export const messageSchema = answer('Message', { message: Type.String() });

/** Numbers and switches of a query string, which arrive as text. */
export const queryInteger = integerText({ minimum: 0, maximum: 999_999_999_999_999 });
export const queryBoolean = queryFlag;
