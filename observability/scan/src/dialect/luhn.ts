// SPDX-License-Identifier: Apache-2.0
/**
 * The check of ISO/IEC 7812-1, annex B: from the right, every second digit is doubled, the digits of all are added, and the sum is a
 * multiple of ten. Padded to twenty, the doubled ones are the first of each pair; doubling is a substitution (`6` gives `1+2`, as `3` would).
 */

/** The digits to add, in the words that DuckDB and PostgreSQL share. */
export function luhnDigits(text: string): string {
  const padded = `lpad(regexp_replace(${text}, '[^0-9]', '', 'g'), 20, '0')`;
  const half = (index: 1 | 2): string => `regexp_replace(${padded}, '([0-9])([0-9])', '\\${index}', 'g')`;
  return `translate(${half(1)}, '0123456789', '0246813579') || ${half(2)}`;
}
