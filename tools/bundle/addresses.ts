// SPDX-License-Identifier: Apache-2.0
/**
 * Modules find threads, child processes and files by their own address. In a bundle all modules have the address of the bundle, so what they look
 * for is put beside it: programs become entries of the bundle, files are copied, and the addresses are rewritten. An address of a kind that is not
 * known here stops the build; at run time it would lead to nothing.
 */
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { Plugin } from 'rolldown';

export type AddressOptions = {
  /** Of the repository. */
  readonly root: string;
  /** How the file of a program is called in the bundle, by the path of its source. */
  readonly fileNameOf: (path: string) => string;
  /** Paths from the root: programs that are not put into the bundle. */
  readonly withoutPrograms: readonly string[];
};

/** The variable of each chunk with the folder of files of libraries. */
export const LIBRARY_FOLDER = 'sextantBundledLibraries';

/** Libraries that look for files beside themselves, and which of their files they find. */
const LIBRARY_FILES: { readonly [name: string]: string | undefined } = {
  '@grpc/grpc-js': 'proto/**/*.proto',
  '@grpc/reflection': 'build/proto/grpc/**/*.proto',
  'grpc-health-check': 'proto/**/*.proto',
  // Their threads write to other places than standard output, to which alone the services log.
  pino: undefined,
  'thread-stream': undefined,
};

const ADDRESS = /new URL\('([^']+)', import\.meta\.url\)/g;
const OWN_ADDRESS = /import\.meta\.(?:url|dirname|filename)/;
const LIBRARY_ADDRESS = /\b__dirname\b/g;
/** What a module holds that is looked at. */
const ANY_ADDRESS = [OWN_ADDRESS, LIBRARY_ADDRESS];
/** Where Node.js keeps what it makes of modules: below the bundle, for the next start. */
const COMPILE_CACHE = /\/node_modules\/\.cache\/compiled$/;

export function addresses({ root, fileNameOf, withoutPrograms }: AddressOptions): Plugin {
  const emitted = new Set<string>();
  return {
    name: 'addresses',
    transform: {
      filter: { code: ANY_ADDRESS },
      handler(code, id) {
        // The bundler's own module.
        if (id.startsWith('\0')) return null;
        const emitOnce = (fileName: string, emit: () => void) => {
          if (!emitted.has(fileName)) emit();
          emitted.add(fileName);
        };
        const emitFile = (fileName: string, path: string) =>
          emitOnce(fileName, () => this.emitFile({ type: 'asset', fileName, source: readFileSync(path) }));
        const library = libraryOf(id);
        if (library !== undefined) {
          if (!LIBRARY_ADDRESS.test(code)) return null;
          if (!(library.name in LIBRARY_FILES))
            throw new Error(`${id} reads __dirname; say in ${import.meta.filename} which files it finds there`);
          for (const file of filesOf(library)) emitFile(`libraries/${library.name}/${slashes(file)}`, join(library.folder, file));
          const folder = `/${library.name}/${slashes(relative(library.folder, dirname(id)))}`;
          return code.replaceAll(LIBRARY_ADDRESS, `(${LIBRARY_FOLDER} + ${JSON.stringify(folder)})`);
        }
        if (!OWN_ADDRESS.test(code)) return null;
        const rewritten = code.replaceAll(ADDRESS, (_, path: string) => {
          if (COMPILE_CACHE.test(path)) return beside('.compiled');
          const target = join(dirname(id), path);
          if (path.endsWith('.ts')) {
            const fileName = fileNameOf(target);
            if (!withoutPrograms.includes(slashes(relative(root, target))))
              emitOnce(fileName, () => this.emitFile({ type: 'chunk', fileName, id: target }));
            return beside(fileName);
          }
          if (!existsSync(target)) throw new Error(`${target} is not there; \`node tools/bootstrap.mjs\` builds it`);
          if (statSync(target).isFile()) {
            emitFile(basename(target), target);
            return beside(basename(target));
          }
          const folder = basename(dirname(target));
          for (const file of filesBelow(target)) emitFile(`${folder}/${file}`, join(target, file));
          return beside(`${folder}/`);
        });
        const rest = rewritten.replaceAll(/new URL\('\.\/[^']+', import\.meta\.url\)/g, '');
        if (OWN_ADDRESS.test(rest)) throw new Error(`${id} takes its own address in another way than by new URL('…', import.meta.url)`);
        return rewritten;
      },
    },
  };
}

function beside(name: string): string {
  return `new URL('./${name}', import.meta.url)`;
}

type Library = { readonly name: string; readonly folder: string };

function libraryOf(id: string): Library | undefined {
  const [folder, name] = /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(id) ?? [];
  return folder === undefined || name === undefined ? undefined : { folder, name: slashes(name) };
}

function filesOf({ name, folder }: Library): readonly string[] {
  const pattern = LIBRARY_FILES[name];
  return pattern === undefined ? [] : globSync(pattern, { cwd: folder });
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => slashes(relative(folder, join(entry.parentPath, entry.name))));
}

function slashes(path: string): string {
  return path.replaceAll(sep, '/');
}
