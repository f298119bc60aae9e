// SPDX-License-Identifier: Apache-2.0
/**
 * Shapes of personal data. They find what is written like it: nobody can tell from digits alone whose they are, so each pattern keeps to
 * what its numbering plan can hold. `core` matches the data itself, `around` is the set of characters that may not touch it.
 */

export type PiiKind = 'CREDIT_CARD' | 'IP_ADDRESS' | 'SSN' | 'PHONE_NUMBER' | 'ZIP_CODE' | 'EMAIL';

export type PiiPattern = {
  readonly kind: PiiKind;
  readonly core: string;
  readonly around: string;
  /** A text in which none of these stands does not hold the data; a regular expression takes longer to say so. None where there are none to look for. */
  readonly signs: readonly string[];
};

/**
 * Lengths and leading digits of the card networks, in groups of four or as the network prints them, apart by spaces or hyphens or not at all.
 * ISO/IEC 7812-1 and https://en.wikipedia.org/wiki/Payment_card_number#Issuer_identification_number_(IIN). The check digit (Luhn) is tested apart.
 */
const CREDIT_CARD = [
  // Visa, 13, 16 or 19 digits.
  '4[0-9]{3}[ -]?[0-9]{4}[ -]?[0-9]{4}[ -]?(?:[0-9]{4}(?:[ -]?[0-9]{3})?|[0-9])',
  // Mastercard 51-55 and 2221-2720, Discover 6011, 644-649 and 65, JCB 3528-3589: 16 digits.
  '(?:5[1-5][0-9]{2}|222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720|6011|64[4-9][0-9]|65[0-9]{2}|352[89]|35[3-8][0-9])(?:[ -]?[0-9]{4}){3}',
  // American Express, 15 digits: 4-6-5.
  '3[47][0-9]{2}[ -]?[0-9]{6}[ -]?[0-9]{5}',
  // Diners Club, 14 digits: 4-6-4.
  '3(?:0[0-5]|[689][0-9])[0-9][ -]?[0-9]{6}[ -]?[0-9]{4}',
].join('|');

const OCTET = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const GROUP = '[0-9A-Fa-f]{1,4}';
/** Dotted quads (RFC 791) and IPv6, whole or with one `::` (RFC 4291, 2.2). */
const IP_ADDRESS = [`${OCTET}(?:\\.${OCTET}){3}`, `(?:${GROUP}:){7}${GROUP}`, `(?:${GROUP}:){1,6}(?::${GROUP}){1,6}`].join('|');

/** Areas 000, 666 and 9xx, group 00 and serial 0000 are never given: https://www.ssa.gov/employer/randomization.html */
const SSN =
  '(?:00[1-9]|0[1-9][0-9]|[1-578][0-9]{2}|6(?:[0-57-9][0-9]|6[0-57-9]))[- ](?:0[1-9]|[1-9][0-9])[- ](?:000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})';

/** International numbers with their plus (ITU-T E.164, at most 15 digits), and the national form of the North American plan (nanpa.com). */
const PHONE_NUMBER = [
  '\\+[1-9](?:[ .-]?\\(?[0-9]\\)?){6,14}',
  '(?:1[-. ])?(?:\\([2-9][0-9]{2}\\) ?|[2-9][0-9]{2}[-. ])[2-9][0-9]{2}[-. ][0-9]{4}',
].join('|');

/** United States: ZIP+4, or five digits after a state's two letters. Five digits alone are any number. https://pe.usps.com/text/pub28/28c2_007.htm */
const ZIP_CODE = ['[0-9]{5}-[0-9]{4}', '[A-Z]{2},? [0-9]{5}'].join('|');

const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
/** What browsers accept (https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address), with a dot in the domain and RFC 5321's 64 characters before the `@`. */
const EMAIL = `[A-Za-z0-9.!#$%&'*+/=?^_\`{|}~-]{1,64}@${LABEL}(?:\\.${LABEL})+`;

export const PII_PATTERNS: readonly PiiPattern[] = [
  { kind: 'CREDIT_CARD', core: CREDIT_CARD, around: '0-9', signs: [] },
  { kind: 'IP_ADDRESS', core: IP_ADDRESS, around: '0-9A-Za-z:.', signs: ['.', ':'] },
  { kind: 'SSN', core: SSN, around: '0-9-', signs: ['-', ' '] },
  { kind: 'PHONE_NUMBER', core: PHONE_NUMBER, around: '0-9', signs: ['+', '-', '.', ' '] },
  { kind: 'ZIP_CODE', core: ZIP_CODE, around: '0-9A-Za-z-', signs: ['-', ' '] },
  { kind: 'EMAIL', core: EMAIL, around: '0-9A-Za-z', signs: ['@'] },
];

/** A text that is one e-mail address and nothing else. */
export const WHOLE_EMAIL = `^${EMAIL}$`;
