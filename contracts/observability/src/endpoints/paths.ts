// SPDX-License-Identifier: Apache-2.0
/** The bases below which the families answer. The bare origin answers too. */

type Paths<Path extends string> = { readonly path: Path; readonly aliases: readonly string[] };

/** `{auth_endpoint}`: the bare origin, or `/api/auth`. */
export function auth<const Path extends string>(path: Path): Paths<Path> {
  return { path, aliases: [`/api/auth${path}`] };
}

/** `{api_endpoint}/api/backend`. */
export function backend<const Path extends string>(path: Path, ...aliases: readonly string[]): Paths<`/api/backend${Path}`> {
  return { path: `/api/backend${path}`, aliases: aliases.map((alias) => `/api/backend${alias}`) };
}

/** `{api_url}` and `{config_endpoint}`: the bare origin, or `/api/backend`. */
export function configuration<const Path extends string>(path: Path): Paths<Path> {
  return { path, aliases: [`/api/backend${path}`] };
}

/** The data endpoint: the bare origin, or `/api/data`. */
export function data<const Path extends string>(path: Path, ...others: readonly string[]): Paths<Path> {
  return { path, aliases: [path, ...others].map((each) => `/api/data${each}`).concat(others) };
}

/** The analytics endpoint: the bare origin, or `/api/search`. */
export function search<const Path extends string>(path: Path): Paths<Path> {
  return { path, aliases: [`/api/search${path}`] };
}
