// SPDX-License-Identifier: Apache-2.0
/** What the names in a rule mean: a transformation, else a variable, else an attribute. Keeps the attributes that are read. */
import type { RuleVariable } from '@sextant/contracts-observability';
import { unknownName } from '@sextant/foundation-std';
import type { CompileContext } from '../checks.ts';
import { ExpressionError } from '../expressions/expression-error.ts';
import { columnResolver } from '../expressions/scalar-compiler.ts';
import type { Position } from '../expressions/tokens.ts';
import { type TypedSql, typedNumber, typedText } from '../expressions/typed-sql.ts';

export type Names = {
  readonly resolve: (name: string, at: Position) => TypedSql;
  /** A list or a range by its name; any other name is none. */
  readonly manyOf: (name: string) => RuleVariable | undefined;
  readonly addTransformation: (name: string, value: TypedSql, at: Position) => void;
  /** Attributes in the order in which they were first read. */
  readonly attributes: () => readonly string[];
};

export function ruleNames(variables: readonly RuleVariable[], { dialect, columns }: CompileContext): Names {
  const byName = new Map(variables.map((variable) => [variable.name, variable]));
  const transformations = new Map<string, TypedSql>();
  const columnOf = columnResolver(dialect, columns);
  const read = new Set<string>();

  const attribute = (name: string, at: Position, prefix: string, others: readonly string[]): TypedSql => {
    const found = columnOf(name);
    if (found === undefined) {
      const known = [...others, ...columns.map((column) => column.name)];
      throw new ExpressionError(at, `${prefix}${unknownName('attribute of the asset', name, known)}`);
    }
    read.add(found.column.name);
    return found.value;
  };
  const variableValue = (variable: RuleVariable, at: Position): TypedSql => {
    const { name, type, value } = variable;
    const [only] = value;
    if (type === 'LIST' || type === 'RANGE') {
      throw new ExpressionError(
        at,
        `the variable ${name} is a ${type.toLowerCase()}; it can only stand after ${type === 'LIST' ? 'IN' : 'IN_RANGE'}`,
      );
    }
    if (only === undefined || value.length !== 1) throw new ExpressionError(at, `the variable ${name} needs exactly one value`);
    if (type === 'REFERENCE') return attribute(String(only), at, `the variable ${name} refers to nothing: `, []);
    return typedConstant(dialect, only);
  };
  return {
    resolve: (name, at) => {
      const transformed = transformations.get(name);
      if (transformed !== undefined) return transformed;
      const variable = byName.get(name);
      return variable === undefined ? attribute(name, at, '', [...transformations.keys(), ...byName.keys()]) : variableValue(variable, at);
    },
    manyOf: (name) => {
      const variable = transformations.has(name) ? undefined : byName.get(name);
      return variable?.type === 'LIST' || variable?.type === 'RANGE' ? variable : undefined;
    },
    addTransformation: (name, value, at) => {
      if (transformations.has(name)) throw new ExpressionError(at, `there are two transformations of the name ${name}`);
      transformations.set(name, value);
    },
    attributes: () => [...read],
  };
}

export function typedConstant(dialect: CompileContext['dialect'], value: string | number): TypedSql {
  return typeof value === 'number' ? typedNumber(dialect, value) : typedText(dialect, value);
}
