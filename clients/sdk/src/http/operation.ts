// SPDX-License-Identifier: Apache-2.0
/** A row of an endpoint table, as far as a client needs it. */

export type OperationRow = {
  readonly method: string;
  /** The path, with parameters in braces. */
  readonly path: string;
  /** `result`: the response is in an envelope; `text` and `file`: the response is not JSON. */
  readonly wrapping?: 'result' | 'text' | 'file';
  /** The body is not JSON: the bytes of a file, or a form whose part of this name is the file. */
  readonly sends?: 'bytes' | { readonly part: string };
  readonly takesBody?: boolean;
  /** Set if the client's methods are generated from the table. */
  readonly takesQuery?: boolean;
  /** Whether sending the request twice has the same effect as sending it once. */
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
