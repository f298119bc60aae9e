// SPDX-License-Identifier: Apache-2.0
/** What also runs in browsers: nothing behind these names touches Node. */
export { type JsonValue, parseJson, stringifyJson } from './json.ts';
export { shortestFloat32 } from './shortest-float32.ts';
export { closest, unknownName } from './spelling.ts';
