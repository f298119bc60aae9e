// SPDX-License-Identifier: Apache-2.0
/** How metrics, traces and logs name a route: as OpenAPI does, with braces. */

/** As many as there are routes. */
const shown = new Map<string, string>();

/** @param url the pattern of the router, with colons and what a parameter may hold; undefined where there is none */
export function shownRoute(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  const known = shown.get(url);
  if (known !== undefined) return known;
  const route = url.replaceAll(/:(\w+)(?:\([^)]*\))?/g, '{$1}');
  shown.set(url, route);
  return route;
}
