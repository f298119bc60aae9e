// SPDX-License-Identifier: Apache-2.0
/** What of an address counts for a screen; whatever else stands there is left out, as anybody can write an address. */

/** A text, a flag, or one of some words. */
type AddressField = 'text' | 'flag' | readonly string[];
type AddressFields = { readonly [name: string]: AddressField };

export type AddressOf<Fields extends AddressFields> = {
  readonly [name in keyof Fields]?:
    | (Fields[name] extends readonly (infer Word)[] ? Word : Fields[name] extends 'flag' ? boolean : string)
    | undefined;
};

/** @param search what the router has parsed: digits of an address arrive as a number */
export function readAddress<const Fields extends AddressFields>(
  search: Readonly<Record<string, unknown>>,
  fields: Fields,
): AddressOf<Fields> {
  const read = Object.entries(fields).flatMap(([name, field]) => {
    const value = fieldOf(search[name], field);
    return value === undefined ? [] : [[name, value]];
  });
  // Each value is of its field, which `fromEntries` cannot say.
  return Object.fromEntries(read) as AddressOf<Fields>;
}

function fieldOf(value: unknown, field: AddressField): string | boolean | undefined {
  if (field === 'flag') return value === true ? value : undefined;
  if (field !== 'text') return field.find((word) => word === value);
  const isText = (typeof value === 'string' && value !== '') || typeof value === 'number';
  return isText ? String(value) : undefined;
}
