// SPDX-License-Identifier: Apache-2.0
/** An expression as a person could have written it, so that a message can name a part of one. */
import type { CastTarget, Expression } from './syntax-tree.ts';

const LENGTH_MAX = 100;
const TYPES: { readonly [Target in CastTarget]: string } = {
  text: 'STRING',
  number: 'DOUBLE',
  date: 'DATE',
  timestamp: 'TIMESTAMP',
  boolean: 'BOOLEAN',
};

export function written(expression: Expression): string {
  const text = write(expression);
  return text.length <= LENGTH_MAX ? text : `${text.slice(0, LENGTH_MAX - 1).toWellFormed()}…`;
}

function write(expression: Expression): string {
  switch (expression.kind) {
    case 'text':
      return quoted(expression.value);
    case 'number':
      return String(expression.value);
    case 'boolean':
      return expression.value ? 'TRUE' : 'FALSE';
    case 'null':
      return 'NULL';
    case 'name':
      return expression.name;
    case 'negate':
      return `-${part(expression.operand)}`;
    case 'not':
      return `NOT ${part(expression.operand)}`;
    case 'arithmetic':
    case 'comparison':
      return `${part(expression.left)} ${expression.operator} ${part(expression.right)}`;
    case 'concatenation':
      return `${part(expression.left)} || ${part(expression.right)}`;
    case 'logic':
      return expression.operands.map(part).join(` ${expression.operator} `);
    case 'is-null':
      return `${part(expression.operand)} IS ${not(expression)}NULL`;
    case 'in':
      return `${part(expression.operand)} ${not(expression)}IN (${expression.items.map(write).join(', ')})`;
    case 'between':
      return `${part(expression.operand)} ${not(expression)}BETWEEN ${part(expression.low)} AND ${part(expression.high)}`;
    case 'like':
      return `${part(expression.operand)} ${not(expression)}LIKE ${quoted(expression.pattern)}`;
    case 'case':
      return 'CASE … END';
    case 'cast':
      return `CAST(${write(expression.operand)} AS ${TYPES[expression.target]})`;
    case 'call':
      return `${expression.name}(${expression.parameters.map(write).join(', ')})`;
    case 'aggregate': {
      const operand = expression.operand === null ? '*' : write(expression.operand);
      return expression.aggregate === 'distinct' ? `count(DISTINCT ${operand})` : `${expression.aggregate}(${operand})`;
    }
  }
}

/** What stands beside an operator. */
function part(expression: Expression): string {
  const isOne = ['text', 'number', 'boolean', 'null', 'name', 'negate', 'case', 'cast', 'call', 'aggregate'].includes(expression.kind);
  return isOne ? write(expression) : `(${write(expression)})`;
}

function not({ negated }: { readonly negated: boolean }): string {
  return negated ? 'NOT ' : '';
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
