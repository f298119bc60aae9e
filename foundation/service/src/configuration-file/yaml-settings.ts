// SPDX-License-Identifier: Apache-2.0
/**
 * What a YAML file says, as texts. Every scalar stays the text that it is in the file, as in the environment: `no`, `1e3` and `0644` are not turned into
 * something else. The sentences of the parser quote the file, which may hold secrets; so a fault is reported by its kind and its line alone.
 */
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';

export type YamlEntry = {
  readonly key: string;
  readonly line: number;
  /** Undefined for what is neither a value nor a list of values. */
  readonly value:
    | { readonly kind: 'one'; readonly text: string }
    | { readonly kind: 'list'; readonly texts: readonly string[] }
    | undefined;
};

export type YamlFault = { readonly line: number; readonly sentence: string };

export type YamlSettings = { readonly entries: readonly YamlEntry[]; readonly faults: readonly YamlFault[] };

export function readYamlSettings(text: string): YamlSettings {
  const lines = new LineCounter();
  const document = parseDocument(text, { schema: 'failsafe', prettyErrors: false, lineCounter: lines });
  const lineAt = (offset: number | undefined) => lines.linePos(offset ?? 0).line;
  const faults = [...document.errors, ...document.warnings].map(({ code, pos }) => ({
    line: lineAt(pos[0]),
    sentence: sentenceOf(code, text.slice(pos[0])),
  }));
  // What follows a fault may be read as something that nobody meant.
  if (faults.length > 0) return { entries: [], faults };
  const { contents } = document;
  // Comments alone.
  if (contents === null || (isScalar(contents) && contents.value === '')) return { entries: [], faults: [] };
  if (!isMap(contents)) return { entries: [], faults: [{ line: 1, sentence: 'expected settings as NAME: value' }] };
  const entries: YamlEntry[] = [];
  for (const { key, value } of contents.items) {
    const line = isScalar(key) ? lineAt(key.range?.[0]) : 1;
    if (isScalar(key) && typeof key.value === 'string') entries.push({ key: key.value, line, value: yamlValue(value) });
    else faults.push({ line, sentence: 'expected the name of a setting before the colon' });
  }
  return { entries, faults };
}

function yamlValue(node: unknown): YamlEntry['value'] {
  if (node === null) return { kind: 'one', text: '' };
  if (isScalar(node)) return { kind: 'one', text: typeof node.value === 'string' ? node.value : '' };
  if (!isSeq(node) || !node.items.every((item) => isScalar(item))) return undefined;
  return { kind: 'list', texts: node.items.map(({ value }) => (typeof value === 'string' ? value : '')) };
}

/** @param rest the file from the fault on, of which nothing but the name of a setting is repeated */
function sentenceOf(code: string, rest: string): string {
  if (code === 'DUPLICATE_KEY')
    return `${/^[A-Z][A-Z_]*(?=\s*:)/.exec(rest)?.[0] ?? 'a setting'} is set more than once in the file; set it once`;
  if (code === 'MULTIPLE_DOCS') return 'the file has a second YAML document; expected one';
  if (code === 'TAB_AS_INDENT') return 'tabs cannot be used for indentation; use spaces';
  return `this is not valid YAML (${code.toLowerCase().replaceAll('_', ' ')})`;
}
