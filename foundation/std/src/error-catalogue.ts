// SPDX-License-Identifier: Apache-2.0
/** Error catalogues: rows of a status and a sentence, in which `{name}` is replaced by the detail of that name. */

/** Makes the rows of the errors that share a status: `withStatus({ rest: 404 })({ point_not_found: 'No point with id {id} found' })`. */
export function withStatus<const Status extends object>(status: Status) {
  return <Code extends string>(sentences: { readonly [code in Code]: string }) => {
    const rows = Object.entries<string>(sentences).map(([code, message]) => [code, { ...status, message }]);
    // `fromEntries` forgets which keys it was given.
    return Object.fromEntries(rows) as { readonly [code in Code]: Status & { readonly message: string } };
  };
}

/** A detail that is missing leaves its `{name}`. */
export function fillSentence(sentence: string, details: { readonly [name: string]: string | number | bigint }): string {
  return sentence.replace(/\{(\w+)\}/g, (hole, name: string) => String(details[name] ?? hole));
}
