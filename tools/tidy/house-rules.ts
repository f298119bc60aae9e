// SPDX-License-Identifier: Apache-2.0
/** Rules about single files that no linter of ours has. */
import { parseSync, Visitor } from 'oxc-parser';
import type { Finding, SourceFile } from './source.ts';

/** One idea rarely needs more; a longer file wants to be two. */
const LINES_MAX = 400;

/** Who may read the world's clock and dice: the start of a process, the two files that wrap them, tools, tests and benches. */
const MAY_BE_IMPURE = [
  /(^|\/)main\.ts$/,
  /^foundation\/std\/src\/(clock|random)\.ts$/,
  /^(tools|system-tests)\//,
  /\.(test|bench|conformance)\.ts$/,
  /\/(test|bench)\//,
];

export function checkFile(file: SourceFile): readonly Finding[] {
  return [...checkLength(file), ...checkPurity(file), ...checkIndex(file)];
}

function checkLength(file: SourceFile): readonly Finding[] {
  const lines = file.text.split('\n').length - 1;
  if (isGenerated(file.path)) return [];
  return lines > LINES_MAX ? [{ path: file.path, message: `has ${lines} lines; more than ${LINES_MAX} is more than one idea` }] : [];
}

function checkPurity(file: SourceFile): readonly Finding[] {
  if (MAY_BE_IMPURE.some((pattern) => pattern.test(file.path))) return [];
  const findings: Finding[] = [];
  const report = (start: number, what: string, instead: string) => {
    findings.push({ path: file.path, line: lineAt(file.text, start), message: `uses ${what}; take a ${instead} instead` });
  };
  new Visitor({
    MemberExpression(node) {
      if (node.object.type !== 'Identifier' || node.property.type !== 'Identifier') return;
      const name = `${node.object.name}.${node.property.name}`;
      if (name === 'Date.now' || name === 'performance.now') report(node.start, name, 'Clock');
      if (name === 'Math.random') report(node.start, name, 'Random');
    },
    NewExpression(node) {
      const isNow = node.callee.type === 'Identifier' && node.callee.name === 'Date' && node.arguments.length === 0;
      if (isNow) report(node.start, 'new Date()', 'Clock');
    },
  }).visit(parseSync(file.path, file.text).program);
  return findings;
}

/** An index lists what its package offers, by name, and does nothing else. */
function checkIndex(file: SourceFile): readonly Finding[] {
  if (!file.path.endsWith('/src/index.ts')) return [];
  return parseSync(file.path, file.text).program.body.flatMap((statement) => {
    const isNamedExport = statement.type === 'ExportNamedDeclaration' && statement.source !== null;
    // Each type of a contract is one line of a file that lists them already.
    const isContractTypes =
      statement.type === 'ExportAllDeclaration' &&
      statement.exportKind === 'type' &&
      /^\.\/contract\/.*-types\.ts$/.test(statement.source.value);
    if (isNamedExport || isContractTypes) return [];
    return [{ path: file.path, line: lineAt(file.text, statement.start), message: 'an index holds only `export { name } from …`' }];
  });
}

function isGenerated(path: string): boolean {
  return path.endsWith('.generated.ts');
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
