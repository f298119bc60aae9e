// SPDX-License-Identifier: Apache-2.0
/** A row of an endpoint table, as a client needs it. */

export type OperationRow = {
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  /** `result`: the answer is wrapped in an envelope; `text` and `file`: it is no JSON. */
  readonly wrapping?: 'result' | 'text' | 'file';
  /** The body is no JSON: the bytes of a file, or a form with the file as the part of this name. */
  readonly sends?: 'bytes' | { readonly part: string };
  readonly takesBody?: boolean;
  /** Stated where the methods of a client are made of the table. */
  readonly takesQuery?: boolean;
  /** Whether sending it twice comes to the same as sending it once. */
  readonly isRepeatable: boolean;
};

export type OperationTable<Operations> = { readonly [Id in keyof Operations]: OperationRow };

/** Values of path parameters and of query strings. */
export type Members = { readonly [name: string]: unknown };

/** The path with its parameters, percent-encoded, and its query string. Members that are undefined or null are left out. */
export function targetOf(row: OperationRow, params: Members, query: Members = {}): string {
  const path = row.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = textOf(params[name]);
    if (text === undefined || text === '') throw new TypeError(`${row.method} ${row.path} needs \`${name}\``);
    return encodeURIComponent(text);
  });
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] => {
    const text = textOf(value);
    return text === undefined ? [] : [[name, text]];
  });
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

/** Undefined for what a path or a query string cannot hold. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}
