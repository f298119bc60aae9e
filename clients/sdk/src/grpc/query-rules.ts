/** The query language in the protocol's words. */

type Members = { readonly [name: string]: unknown };

/** A vector (a sparse one is an object) or an id is a query for what is nearest to it; the others are named by their one member. */
export function query(value: unknown): Members {
  if (!isObject(value) || 'indices' in value) return { nearest: value };
  const { nearest, mmr, formula, defaults, ...others } = value;
  if (formula !== undefined) return { ...others, formula: { expression: formula, defaults } };
  if (nearest === undefined) return value;
  return mmr === undefined || mmr === null ? { ...others, nearest } : { ...others, nearest_with_mmr: { nearest, mmr } };
}

/** Expressions that the protocol names as REST does. */
const NAMED = new Set([
  'geo_distance',
  'datetime',
  'datetime_key',
  'div',
  'neg',
  'abs',
  'sqrt',
  'pow',
  'exp',
  'log10',
  'ln',
  'exp_decay',
  'gauss_decay',
  'lin_decay',
]);

/** Numbers and variables are themselves; what is no operation is a condition. */
export function expression(value: unknown): Members {
  if (typeof value === 'number') return { constant: value };
  if (!isObject(value)) return { variable: value };
  const [name = ''] = Object.keys(value);
  if (name === 'mult' || name === 'sum') return { [name]: value };
  return NAMED.has(name) ? value : { condition: value };
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Float32Array);
}
