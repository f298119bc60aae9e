// SPDX-License-Identifier: Apache-2.0
/**
 * The services of the protocol under the names that another published client calls them by (`actian-vectorai-client` on PyPI). Its messages have the same
 * fields and numbers, so a call by such a name is the protocol's call in every respect: who may make it, what it answers and how it is counted.
 */
import { create, type DescService, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { services } from '@sextant/contracts-protocol';

const PACKAGE = 'actian_vectorai';

/** The protocol's own names, and those of the other client. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['qdrant.Qdrant', 'ActianVectorAI'],
  ['qdrant.Collections', 'Collections'],
  ['qdrant.Points', 'Points'],
]);

const namesOfProtocol: ReadonlyMap<string, string> = new Map([...ALIASES].map(([own, alias]) => [`${PACKAGE}.${alias}`, own]));

/** Every service with every name that it is served by. */
export function servedServices(): readonly { readonly service: DescService; readonly name: string }[] {
  return services.flatMap((service) => {
    const alias = ALIASES.get(service.typeName);
    const own = { service, name: service.typeName };
    return alias === undefined ? [own] : [own, { service, name: `${PACKAGE}.${alias}` }];
  });
}

/** What the protocol calls a method, by whichever name of its service it was called. */
export function methodOfProtocol(method: string): string {
  const [service = '', name = ''] = method.split('/');
  return `${namesOfProtocol.get(service) ?? service}/${name}`;
}

/** The file that reflection hands out for the other names. */
export function encodedAliases(): Buffer {
  const served = services.filter(({ typeName }) => ALIASES.has(typeName));
  const file = create(FileDescriptorProtoSchema, {
    name: `${PACKAGE}.proto`,
    package: PACKAGE,
    syntax: 'proto3',
    dependency: [...new Set(served.flatMap(({ methods }) => methods.flatMap(({ input, output }) => [input.file, output.file])))].map(
      ({ proto }) => proto.name,
    ),
    service: served.map(({ proto, typeName, methods }) => ({
      name: ALIASES.get(typeName) ?? proto.name,
      method: methods.map(({ name, input, output }) => ({ name, inputType: `.${input.typeName}`, outputType: `.${output.typeName}` })),
    })),
  });
  return Buffer.from(toBinary(FileDescriptorProtoSchema, file));
}
