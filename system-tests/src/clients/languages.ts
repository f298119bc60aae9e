// SPDX-License-Identifier: Apache-2.0
/** The official clients of other languages, and frameworks on top of them: how each is built and run. */
import { join, resolve } from 'node:path';
import { cacheDirectory, type Place } from '../toolchain.ts';

/** A program, its arguments and where it runs. */
type Step = readonly [program: string, args: readonly string[], place: Place];

export type Language = {
  readonly name: string;
  /** The program, whose part between the marks is on the page. */
  readonly source: string;
  readonly page: string;
  readonly build: () => Step;
  readonly program: (host: string, port: string) => Step;
};

const here = (path: string) => join(import.meta.dirname, path);
const page = (name: string) => resolve(import.meta.dirname, '../../../docs/how-to/clients', name);

export const languages: readonly Language[] = [
  {
    name: 'Go',
    source: here('go/main.go'),
    page: page('go.md'),
    build: () => ['go', ['build', '-mod=readonly', '-o', join(cacheDirectory('clients/go'), 'films')], { directory: here('go') }],
    program: (host, port) => [join(cacheDirectory('clients/go'), 'films'), [host, port], { directory: here('go') }],
  },
  {
    name: 'Java',
    source: here('java/src/main/java/dev/sextant/Films.java'),
    page: page('java.md'),
    ...byMaven('java', 'dev.sextant.Films'),
  },
  {
    name: 'Spring AI',
    source: here('spring-ai/src/main/java/dev/sextant/Notes.java'),
    page: page('spring-ai.md'),
    ...byMaven('spring-ai', 'dev.sextant.Notes'),
  },
  {
    name: 'Rust',
    source: here('rust/src/main.rs'),
    page: page('rust.md'),
    build: () => ['cargo', ['build', '--locked', '--target-dir', cacheDirectory('clients/rust')], { directory: here('rust') }],
    program: (host, port) => [join(cacheDirectory('clients/rust'), 'debug', 'films'), [host, port], { directory: here('rust') }],
  },
];

function byMaven(folder: string, mainClass: string): Pick<Language, 'build' | 'program'> {
  const directory = here(folder);
  const built = () => cacheDirectory(`clients/${folder}`);
  return {
    build: () => ['mvn', ['-q', '-B', `-DbuildDirectory=${built()}`, 'package', 'dependency:copy-dependencies'], { directory }],
    program: (host, port) => {
      const path = [join(built(), 'classes'), join(built(), 'dependency', '*')].join(':');
      return ['java', ['-cp', path, mainClass, host, port], { directory }];
    },
  };
}
