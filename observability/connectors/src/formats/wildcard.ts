// SPDX-License-Identifier: Apache-2.0
/** Paths of assets: relative, without ways up, and with one `*` where the asset's options allow it. */
import { SourceError } from '../connector.ts';
import { type Payload, requiredText } from '../payload.ts';

/** Files that one path may stand for. */
export const MATCHES_MAX = 1000;

export type AssetPath =
  | { readonly kind: 'one'; readonly path: string }
  | {
      readonly kind: 'many';
      readonly path: string;
      /** What is in front of the segment with the `*`, with its slash; empty at the top. */
      readonly parent: string;
      /** Whether a whole path matches. */
      readonly matches: (path: string) => boolean;
      /** The segment that holds the `*` and what follows it: for a walk through folders. */
      readonly segment: (name: string) => boolean;
      readonly rest: string;
    };

/** Throws a `SourceError` that names `payload.path`. */
export function assetPath(payload: Payload, resolveWildcards: boolean): AssetPath {
  const path = requiredText(payload, 'path', 'the path of a file, such as orders/2026.csv');
  const segments = path.split('/');
  if (path.startsWith('/') || path.includes('\\') || segments.some((segment) => segment === '..' || segment === '.' || segment === '')) {
    throw new SourceError('payload.path must be relative to the connection, without "..", "." and empty parts', { member: 'payload.path' });
  }
  const stars = path.split('*').length - 1;
  if (!resolveWildcards || stars === 0) return { kind: 'one', path };
  if (stars > 1) throw new SourceError('payload.path may contain only one *', { member: 'payload.path' });
  const at = segments.findIndex((segment) => segment.includes('*'));
  const rest = segments
    .slice(at + 1)
    .map((segment) => `/${segment}`)
    .join('');
  return {
    kind: 'many',
    path,
    parent: segments
      .slice(0, at)
      .map((segment) => `${segment}/`)
      .join(''),
    matches: pattern(path),
    segment: pattern(segments[at] ?? ''),
    rest,
  };
}

/** Texts in which the `*` stands for anything but a slash; compared without a regular expression, so that no text of a user becomes one. */
function pattern(text: string): (candidate: string) => boolean {
  const [before = '', after = ''] = text.split('*');
  return (candidate) =>
    candidate.length >= before.length + after.length &&
    candidate.startsWith(before) &&
    candidate.endsWith(after) &&
    !candidate.slice(before.length, candidate.length - after.length).includes('/');
}

export function noMatch(path: string): SourceError {
  return new SourceError(`no file matches ${path}`, { member: 'payload.path' });
}

export function tooManyMatches(path: string): SourceError {
  return new SourceError(`more than ${MATCHES_MAX} files match ${path}; narrow it`, { member: 'payload.path' });
}
