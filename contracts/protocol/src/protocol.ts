// SPDX-License-Identifier: Apache-2.0
/** The published protocol: its services and messages, as the generated code of the published client describes them. */
import { type DescFile, type DescMessage, type DescService, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { file_qdrant } from '@qdrant/js-client-grpc';

/** The root file and all that it imports, each after what it imports itself. */
const files: readonly DescFile[] = withImports(file_qdrant, new Map());

/** `qdrant.Qdrant`, `qdrant.Collections`, `qdrant.Points`, `qdrant.Snapshots`. */
export const services: readonly DescService[] = files.flatMap((file) => file.services);

const messages: ReadonlyMap<string, DescMessage> = new Map(
  files
    .flatMap((file) => file.messages)
    .flatMap((message) => [message, ...message.nestedMessages].map((desc) => [desc.typeName, desc] as const)),
);

/** Throws for a name that is not the protocol's. */
export function messageNamed(typeName: string): DescMessage {
  const desc = messages.get(typeName);
  if (desc === undefined) throw new Error(`the protocol has no message ${typeName}`);
  return desc;
}

/** The files as reflection hands them out. */
export function encodedFiles(): readonly Buffer[] {
  return files.map(({ proto }) => Buffer.from(toBinary(FileDescriptorProtoSchema, proto)));
}

function withImports(file: DescFile, seen: Map<string, DescFile>): readonly DescFile[] {
  if (!seen.has(file.name)) {
    for (const imported of file.dependencies) withImports(imported, seen);
    seen.set(file.name, file);
  }
  return [...seen.values()];
}
