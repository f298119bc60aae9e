// SPDX-License-Identifier: Apache-2.0
/**
 * Relative links of Markdown pages lead to a file of the repository, and their fragments to a heading of it. A Markdown parser and a slug
 * library would do the same; this reads only what our pages use (links, images, reference definitions, `href`, `src` and `srcset`), and
 * leaves code alone.
 */
import { dirname, join } from 'node:path/posix';
import type { Finding, SourceFile } from './source.ts';

/** @param exists whether the repository has a file or folder of that path from its root */
export function checkLinks(pages: readonly SourceFile[], exists: (path: string) => boolean): readonly Finding[] {
  const anchors = new Map(pages.map((page) => [page.path, anchorsOf(page.text)]));
  return pages.flatMap((page) =>
    linksOf(page.text).flatMap(({ target, line }) => {
      const message = linkProblem(page.path, target, anchors, exists);
      return message === undefined ? [] : [{ path: page.path, line, message }];
    }),
  );
}

const INDEX = 'docs/README.md';

/** Every page below docs/ has its place in the index. */
export function checkIndexed(pages: readonly SourceFile[]): readonly Finding[] {
  const index = pages.find(({ path }) => path === INDEX);
  const listed = new Set(linksOf(index?.text ?? '').map(({ target }) => join(dirname(INDEX), target.replace(/#.*/, ''))));
  return pages
    .filter(({ path }) => path.startsWith('docs/') && path !== INDEX && !listed.has(path))
    .map(({ path }) => ({ path, message: `is not in ${INDEX}; give it a sentence there` }));
}

type Anchors = ReadonlyMap<string, ReadonlySet<string>>;

function linkProblem(from: string, target: string, anchors: Anchors, exists: (path: string) => boolean): string | undefined {
  // Of another site: https:, mailto:.
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return undefined;
  const [encoded = '', fragment] = target.split('#', 2);
  if (encoded.startsWith('/')) return `links to ${target}; write the path from this page`;
  const path = encoded === '' ? from : join(dirname(from), decodeURIComponent(encoded));
  if (path.startsWith('..') || !exists(path)) return `links to ${target}, but there is no ${path}`;
  if (fragment === undefined) return undefined;
  const headings = anchors.get(path);
  // A line of a source file (`#L12`) moves with every change; only pages have anchors that stay.
  if (headings === undefined) return `links to ${target}, but ${path} is no page with headings`;
  return headings.has(fragment) ? undefined : `links to ${target}, but ${path} has no heading for #${fragment}`;
}

type Link = { readonly target: string; readonly line: number };

const LINK_SHAPES = [
  /\]\(\s*<?([^\s)>]+)>?(?:\s+"[^"]*")?\s*\)/g,
  /^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)>?/gm,
  /\b(?:href|src|srcset)="([^"\s]+)"/g,
];

function linksOf(text: string): readonly Link[] {
  const prose = withoutCode(text);
  return LINK_SHAPES.flatMap((shape) =>
    [...prose.matchAll(shape)].map(({ 1: target = '', index }) => ({ target, line: prose.slice(0, index).split('\n').length })),
  );
}

/** The text with code emptied and every line where it was. */
function withoutCode(text: string): string {
  const newlines = (code: string) => code.replaceAll(/[^\n]/g, '');
  return withoutFences(text).replaceAll(/(?<!`)(`+)(?!`)(?:(?!\n\n)[\s\S])*?[^`]\1(?!`)/g, newlines);
}

function withoutFences(text: string): string {
  return text.replaceAll(/^ *(`{3,}|~{3,})[\s\S]*?(?:^ *\1[`~]* *$|$(?![\s\S]))/gm, (code) => code.replaceAll(/[^\n]/g, ''));
}

/** The fragments of a page's headings, as GitHub makes them; the second of a name ends with `-1`. */
function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const { 1: heading = '' } of withoutFences(text).matchAll(/^#{1,6}\s+(.+?)\s*#*\s*$/gm)) {
    const slug = slugOf(heading);
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

function slugOf(heading: string): string {
  const shown = heading.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1');
  return shown
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}
