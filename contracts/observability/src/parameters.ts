// SPDX-License-Identifier: Apache-2.0
/** Parameters that may come in a query string, a form or JSON, under several spellings of their names. */

/** The parameters under their names in snake case: `clientId` and `old-password` become `client_id` and `old_password`. Later sources win. */
export function readParameters(...sources: readonly object[]): { readonly [name: string]: unknown } {
  const members = sources.flatMap((source) => Object.entries(source));
  return Object.fromEntries(members.map(([name, value]) => [snakeCased(name), value]));
}

function snakeCased(name: string): string {
  return name.replaceAll('-', '_').replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
