// SPDX-License-Identifier: Apache-2.0
/** The line by which a source file names its licence (https://spdx.dev/learn/handling-license-info/). */

const LICENCE = 'SPDX-License-Identifier: Apache-2.0';

/** How a comment of one line looks, by the ending of the file's name. */
const COMMENTS: { readonly [ending: string]: readonly [before: string, after: string] } = {
  ts: ['// ', ''],
  tsx: ['// ', ''],
  mjs: ['// ', ''],
  go: ['// ', ''],
  rs: ['// ', ''],
  java: ['// ', ''],
  css: ['/* ', ' */'],
  py: ['# ', ''],
  sh: ['# ', ''],
};

/** Whether a file is source that names its licence; what is generated says so by its name. */
export function isSource(path: string): boolean {
  return commentOf(path) !== undefined && !/\.generated\.[a-z]+$/.test(path);
}

/** The line stands first, or second where the system reads the first. */
export function hasHeader(path: string, text: string): boolean {
  const line = headerOf(path);
  const [first, second] = text.split('\n', 2);
  return line === (first?.startsWith('#!') === true ? second : first);
}

export function withHeader(path: string, text: string): string {
  const line = headerOf(path);
  if (line === undefined || hasHeader(path, text)) return text;
  const shebang = /^#!.*\n/.exec(text)?.[0] ?? '';
  return `${shebang}${line}\n${text.slice(shebang.length)}`;
}

function headerOf(path: string): string | undefined {
  const comment = commentOf(path);
  return comment && `${comment[0]}${LICENCE}${comment[1]}`;
}

function commentOf(path: string): readonly [string, string] | undefined {
  return COMMENTS[path.split('.').at(-1) ?? ''];
}
