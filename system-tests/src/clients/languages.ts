/** The official clients of other languages: how each is built and run. */
import { join, resolve } from 'node:path';
import { buildDirectory, type Step } from './toolchain.ts';

export type Language = {
  readonly name: string;
  /** The program, whose part between the marks is on the page. */
  readonly source: string;
  readonly page: string;
  readonly build: () => Promise<Step>;
  readonly program: (host: string, port: string) => Promise<Step>;
};

const here = (path: string) => join(import.meta.dirname, path);
const page = (name: string) => resolve(import.meta.dirname, '../../../docs/how-to/clients', name);

export const languages: readonly Language[] = [
  {
    name: 'Go',
    source: here('go/main.go'),
    page: page('go.md'),
    build: async () => ({
      command: 'go',
      args: ['build', '-mod=readonly', '-o', join(await buildDirectory('go'), 'films')],
      directory: here('go'),
    }),
    program: async (host, port) => ({ command: join(await buildDirectory('go'), 'films'), args: [host, port], directory: here('go') }),
  },
  {
    name: 'Java',
    source: here('java/src/main/java/dev/sextant/Films.java'),
    page: page('java.md'),
    build: async () => ({
      command: 'mvn',
      args: ['-q', '-B', `-DbuildDirectory=${await buildDirectory('java')}`, 'package', 'dependency:copy-dependencies'],
      directory: here('java'),
    }),
    program: async (host, port) => {
      const built = await buildDirectory('java');
      const path = [join(built, 'classes'), join(built, 'dependency', '*')].join(':');
      return { command: 'java', args: ['-cp', path, 'dev.sextant.Films', host, port], directory: here('java') };
    },
  },
  {
    name: 'Rust',
    source: here('rust/src/main.rs'),
    page: page('rust.md'),
    build: async () => ({
      command: 'cargo',
      args: ['build', '--locked', '--target-dir', await buildDirectory('rust')],
      directory: here('rust'),
    }),
    program: async (host, port) => ({
      command: join(await buildDirectory('rust'), 'debug', 'films'),
      args: [host, port],
      directory: here('rust'),
    }),
  },
];
