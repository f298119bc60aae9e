// SPDX-License-Identifier: Apache-2.0
/** Rules about single files that no linter of ours has. */
import { Visitor } from 'oxc-parser';
import { parse } from './parse.ts';
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
  return [...checkLength(file), ...checkPurity(file), ...checkComparisons(file), ...checkIndex(file)];
}

function checkLength(file: SourceFile): readonly Finding[] {
  const lines = file.text.split('\n').length - 1;
  if (isGenerated(file.path)) return [];
  return lines > LINES_MAX ? [{ path: file.path, message: `has ${lines} lines; more than ${LINES_MAX} is more than one idea` }] : [];
}

/** What no file does without that reads them. */
const NAMES_CLOCK_OR_DICE = /\b(Date|performance|Math)\b/;

function checkPurity(file: SourceFile): readonly Finding[] {
  if (MAY_BE_IMPURE.some((pattern) => pattern.test(file.path)) || !NAMES_CLOCK_OR_DICE.test(file.text)) return [];
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
  }).visit(parse(file).program);
  return findings;
}

/** Imports of a file that works with secrets. */
const OF_SECRETS = /\b(hashSecret|createHmac|argon2|scrypt|pbkdf2|timingSafeEqual)\b/;
/** Of bytes that only who knows the secret can make. */
const MAKES_BYTES = /\b(hashSecret|createHmac|argon2|scrypt|pbkdf2)/;
/** Comparisons that end at the first byte that differs. */
const ENDS_EARLY = /\.(equals|compare)\($/;

/** How long a comparison takes must not say how much of a guess was right. */
function checkComparisons(file: SourceFile): readonly Finding[] {
  if (/\.(test|conformance|fixture)\.ts$/.test(file.path) || !OF_SECRETS.test(file.text)) return [];
  const { program } = parse(file);
  const imported = program.body.flatMap((statement) => (statement.type === 'ImportDeclaration' ? statement.specifiers : []));
  if (!imported.some(({ local }) => OF_SECRETS.test(local.name))) return [];
  const findings: Finding[] = [];
  const report = (start: number) => {
    const message = 'compares bytes of a secret in a time that depends on them; take timingSafeEqual instead';
    findings.push({ path: file.path, line: lineAt(file.text, start), message });
  };
  const textOf = ({ start, end }: { readonly start: number; readonly end: number }) => file.text.slice(start, end);
  new Visitor({
    CallExpression({ start, callee }) {
      if (ENDS_EARLY.test(`${textOf(callee)}(`)) report(start);
    },
    BinaryExpression(node) {
      const isComparison = /^[!=]==?$/.test(node.operator);
      if (isComparison && [node.left, node.right].some((side) => MAKES_BYTES.test(textOf(side)))) report(node.start);
    },
  }).visit(program);
  return findings;
}

/** An index lists what its package offers, by name, and does nothing else. */
function checkIndex(file: SourceFile): readonly Finding[] {
  if (!file.path.endsWith('/src/index.ts')) return [];
  return parse(file).program.body.flatMap((statement) => {
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
