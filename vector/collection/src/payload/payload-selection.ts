// SPDX-License-Identifier: Apache-2.0
/** `with_payload`: which parts of a payload a read returns. */
import { type Payload, ServiceError, type WithPayload } from '@sextant/contracts-vector';
import { dropPaths, keepPaths, pathTree } from './path-tree.ts';
import { parseRequestPath } from './payload-change.ts';

const PATHS_MAX = 1000;

/** Answers the part that was asked for, or undefined where no payload was asked for. */
export type PayloadSelection = (payload: Payload) => Payload | undefined;

/**
 * `true` selects everything, a list or `include` only its paths, `exclude` all but its paths.
 * Paths are parsed once here; `ServiceError('invalid_request')` names the one that is none.
 */
export function compileSelection(withPayload: WithPayload): PayloadSelection {
  if (withPayload === true) return (payload) => payload;
  if (withPayload === false) return () => undefined;
  if ('exclude' in withPayload) {
    const tree = parseTree(withPayload.exclude, 'with_payload.exclude');
    return (payload) => dropPaths(payload, tree);
  }
  const tree = 'include' in withPayload ? parseTree(withPayload.include, 'with_payload.include') : parseTree(withPayload, 'with_payload');
  return (payload) => keepPaths(payload, tree);
}

function parseTree(paths: readonly string[], member: string) {
  if (paths.length > PATHS_MAX) {
    throw new ServiceError('invalid_request', { reason: `${member}: expected at most ${PATHS_MAX} paths, got ${paths.length}` });
  }
  return pathTree(paths.map((path, index) => parseRequestPath(path, `${member}[${index}]`)));
}
