// SPDX-License-Identifier: Apache-2.0
/** The kinds of settings that an operator can make. A setting knows its name, its default, and which texts it takes. */
import { isNetwork } from './web-access/client-address.ts';
import { ANY, hostNameOf } from './web-access/host-names.ts';

export type Setting<Value> = {
  /** The environment variable; the flag has the same name. */
  readonly name: string;
  /** One sentence for the operator. */
  readonly meaning: string;
  readonly fallback: Value;
  /** How the default reads where its value says too little, as for the number of cores. */
  readonly fallbackText?: string;
  /** A secret's value is never printed, not even when it is wrong. */
  readonly secret?: boolean;
  /** A toggle's flag may stand alone. */
  readonly mayStandAlone?: boolean;
  /** Names the configuration file, and so cannot stand in it. */
  readonly namesFile?: boolean;
  /** A change in the configuration file counts without a restart. */
  readonly reloadable?: boolean;
  /** Between the values of a list, which a configuration file may write one by one; other settings take one value. */
  readonly separator?: string;
  /** What would be right, to follow "expected". */
  readonly expected: string;
  /** The value, or undefined where the text is not one. */
  readonly parse: (text: string) => Value | undefined;
};

type Description<Value> = Pick<Setting<Value>, 'name' | 'meaning' | 'fallback' | 'fallbackText' | 'secret' | 'reloadable'>;

type TextDescription<Fallback> = Omit<Description<string>, 'fallback'> & { readonly separator?: string } & Fallback;

/** Free text; without a fallback it may be left out. */
export function text(description: TextDescription<{ readonly fallback: string }>): Setting<string>;
export function text(description: TextDescription<{ readonly fallback?: undefined }>): Setting<string | undefined>;
export function text(description: TextDescription<{ readonly fallback?: string | undefined }>): Setting<string | undefined> {
  return { fallback: undefined, ...description, expected: 'some text', parse: (given) => (given.trim() === '' ? undefined : given) };
}

/** The file from which the other settings are read that neither a flag nor the environment has. */
export function configurationFile(name: string): Setting<string | undefined> {
  const meaning = 'Path of a YAML configuration file with these settings. Flags and the environment take precedence';
  return { ...text({ name, meaning }), namesFile: true };
}

/** An address of a service for browsers, in which `{host}` may stand for a name that only they know. */
export function url(description: Description<string>): Setting<string> {
  const parse = (given: string) => {
    const example = URL.parse(given.replace('{host}', 'host'));
    return example !== null && ['http:', 'https:'].includes(example.protocol) && example.pathname === '/' ? given : undefined;
  };
  return {
    ...description,
    expected: 'an http or https address without a path, in which {host} is replaced by the host of the request',
    parse,
  };
}

/** A whole number within bounds, both included, in plain digits. */
export function integer(description: Description<number> & { readonly min: number; readonly max: number }): Setting<number> {
  const { min, max, ...rest } = description;
  const parse = (given: string) => {
    const value = /^[0-9]{1,15}$/.test(given) ? Number(given) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  };
  return { ...rest, expected: `an integer from ${min} to ${max}`, parse };
}

const TOGGLE_WORDS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** On or off. */
export function toggle(description: Description<boolean>): Setting<boolean> {
  return { ...description, mayStandAlone: true, expected: 'true or false', parse: (given) => TOGGLE_WORDS.get(given.toLowerCase()) };
}

/** One of a few words. */
export function choice<Word extends string>(description: Description<Word> & { readonly words: readonly Word[] }): Setting<Word> {
  const { words, ...rest } = description;
  return { ...rest, expected: `one of ${words.join(', ')}`, parse: (given) => words.find((word) => word === given) };
}

/** Some of a few words, joined by commas; `all` is each of them. */
export function choices<Word extends string>(
  description: Description<readonly Word[]> & { readonly words: readonly Word[] },
): Setting<readonly Word[]> {
  const { words, ...rest } = description;
  const parse = (given: string) => {
    if (given.trim() === 'all') return words;
    const named = given.split(',').map((name) => words.find((word) => word === name.trim()));
    return named.every((word) => word !== undefined) ? [...new Set(named)] : undefined;
  };
  return { ...rest, separator: ',', expected: `all, or some of ${words.join(', ')}, separated by commas`, parse };
}

/** Names of anything, which hold no commas. */
export function names(description: Pick<Setting<readonly string[]>, 'name' | 'meaning' | 'reloadable'>): Setting<readonly string[]> {
  const parse = (given: string) => listOf(given, (name) => (name === '' ? undefined : name));
  return { ...description, ...noneOf, expected: 'names, separated by commas', parse };
}

/** Origins of pages as browsers send them; those of extensions and of packaged applications have schemes of their own. */
export function origins(description: Pick<Setting<readonly string[]>, 'name' | 'meaning' | 'reloadable'>): Setting<readonly string[]> {
  const expected = `origins such as https://app.example.com, separated by commas, or only ${ANY} for every web page`;
  return { ...description, ...noneOf, expected, parse: (given) => listOf(given, originIn) };
}

/** Names or addresses of machines. */
export function hosts(description: Pick<Setting<readonly string[]>, 'name' | 'meaning' | 'reloadable'>): Setting<readonly string[]> {
  const expected = `names or addresses without ports, separated by commas, or only ${ANY} for every name`;
  return { ...description, ...noneOf, expected, parse: (given) => listOf(given, hostIn) };
}

/** Addresses of machines and networks. */
export function networks(description: Pick<Setting<readonly string[]>, 'name' | 'meaning' | 'reloadable'>): Setting<readonly string[]> {
  const expected = 'addresses or networks such as 10.0.0.7 and 10.0.0.0/8, separated by commas';
  const parse = (given: string) => {
    const all = given.split(',').map((each) => each.trim());
    return all.every(isNetwork) ? all : undefined;
  };
  return { ...description, ...noneOf, expected, parse };
}

const noneOf = { fallback: [], fallbackText: 'none', separator: ',' } as const;

function listOf(given: string, read: (text: string) => string | undefined): readonly string[] | undefined {
  if (given.trim() === ANY) return [ANY];
  const all = given.split(',').map((each) => read(each.trim()));
  return all.every((each) => each !== undefined) ? [...new Set(all)] : undefined;
}

function originIn(given: string): string | undefined {
  const url = URL.parse(given);
  if (url === null) return undefined;
  // Only for the schemes of the web does the standard say what the origin of an address is.
  const origin = url.origin === 'null' ? `${url.protocol}//${url.host}` : url.origin;
  return url.host !== '' && !url.host.includes(ANY) && origin === given.replace(/\/$/, '').toLowerCase() ? origin : undefined;
}

function hostIn(given: string): string | undefined {
  const isBareAddress = given.split(':').length > 2 && !given.startsWith('[');
  if (/^[^:]*:\d*$|\]:/.test(given)) return undefined;
  return hostNameOf(isBareAddress ? `[${given}]` : given);
}
