// SPDX-License-Identifier: Apache-2.0
/**
 * Spark Connect on this machine: a Java process that listens on the loopback interface and asks for a token that it alone was given. It ends with the process
 * that it is for, however that ends.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, globSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { SourceError } from '../connector.ts';
import type { SparkAddress } from './connect-channel.ts';

export type LocalSparkOptions = {
  readonly home: string;
  /** For what Spark writes; it belongs to the server. */
  readonly directory: string;
  readonly memoryMb: number;
  readonly threads: number;
  /** The server ends when there is no such process any more. */
  readonly lifeOf: number;
  readonly properties?: { readonly [name: string]: string };
  /** Folder of jars beside those of Spark, such as Delta's. */
  readonly jars?: string;
  /** Of Java, besides its memory. */
  readonly javaOptions?: readonly string[];
};

export type LocalSpark = AsyncDisposable & { readonly address: SparkAddress; readonly pid: number | undefined };

const HOST = '127.0.0.1';
const MAIN = 'org.apache.spark.sql.connect.service.SparkConnectServer';
const STARTED = /started at: .*:(\d+)/;
/** What Spark's own scripts open to it (launcher/src/main/java/org/apache/spark/launcher/JavaModuleOptions.java). */
const OPENED = ['lang', 'lang.invoke', 'lang.reflect', 'io', 'net', 'nio', 'util', 'util.concurrent', 'util.concurrent.atomic']
  .map((name) => `java.base/java.${name}`)
  .concat(['java.base/sun.nio.ch', 'java.base/sun.nio.cs', 'java.base/sun.security.action', 'java.base/sun.util.calendar']);
/** Regular expressions go back by recursion. */
const STACK = '4m';
const LAST_LINES = 20;
const PYTHON_PACKAGES = [
  'lib/python3*/site-packages/pyspark',
  'lib64/python3*/site-packages/pyspark',
  'local/lib/python3*/dist-packages/pyspark',
];

/** Warnings alone, and the line that says where it listens. */
const LOGGING = [
  'rootLogger.level = warn',
  'rootLogger.appenderRef.stderr.ref = console',
  'appender.console.type = Console',
  'appender.console.name = console',
  'appender.console.target = SYSTEM_ERR',
  'appender.console.layout.type = PatternLayout',
  'appender.console.layout.pattern = %p %m%n%ex{short}',
  `logger.connect.name = ${MAIN}`,
  'logger.connect.level = info',
].join('\n');

/** Ends the server with the process that it is for, and removes what it wrote. */
const KEEPER = [
  'life=$1; directory=$2; shift 2',
  '"$@" & server=$!',
  "trap 'kill $server' TERM",
  'while kill -0 "$life" 2>/dev/null && kill -0 $server 2>/dev/null; do sleep 1; done',
  'kill $server 2>/dev/null; wait $server; code=$?',
  'rm -rf "$directory"; exit $code',
].join('\n');

/** Where Spark with its Connect server is: at `SPARK_HOME`, else in the package of one of these Python environments; undefined where it is nowhere. */
export function findSparkHome(home: string | undefined, environments: readonly string[]): string | undefined {
  const packages = environments.flatMap((prefix) => PYTHON_PACKAGES.flatMap((pattern) => globSync(join(prefix, pattern))));
  return [...(home === undefined ? [] : [home]), ...packages].find(hasConnect);
}

function hasConnect(home: string): boolean {
  return globSync(join(home, 'jars/spark-connect_*.jar')).length > 0;
}

/** @throws SourceError that says what to install, or the last that Spark said */
export async function startLocalSpark(options: LocalSparkOptions): Promise<LocalSpark> {
  const { home, directory, memoryMb, threads, lifeOf, properties = {}, jars, javaOptions = [] } = options;
  const token = randomBytes(32).toString('hex');
  const { JAVA_HOME: javaHome = '', PATH = '' } = process.env;
  const java = existsSync(join(javaHome, 'bin/java')) && javaHome !== '' ? join(javaHome, 'bin/java') : 'java';
  const settings = {
    'spark.driver.host': HOST,
    'spark.driver.bindAddress': HOST,
    'spark.connect.grpc.binding.address': HOST,
    'spark.connect.grpc.binding.port': '0',
    'spark.ui.enabled': 'false',
    'spark.local.dir': directory,
    'spark.sql.warehouse.dir': join(directory, 'warehouse'),
    'spark.sql.shuffle.partitions': String(threads),
    ...properties,
  };
  const logging = join(directory, 'log4j2.properties');
  await writeFile(logging, LOGGING);
  const arguments_ = [
    `-Dlog4j2.configurationFile=${logging}`,
    `-Xmx${memoryMb}m`,
    `-Xss${STACK}`,
    '-XX:+UseSerialGC',
    ...OPENED.map((name) => `--add-opens=${name}=ALL-UNNAMED`),
    '-Djdk.reflect.useDirectMethodHandle=false',
    '-Dio.netty.tryReflectionSetAccessible=true',
    ...javaOptions,
    '-cp',
    [join(home, 'jars/*'), ...(jars === undefined ? [] : [join(jars, '*')])].join(':'),
    'org.apache.spark.deploy.SparkSubmit',
    '--master',
    `local[${threads}]`,
    '--class',
    MAIN,
    ...Object.entries(settings).flatMap(([name, value]) => ['--conf', `${name}=${value}`]),
    'spark-internal',
  ];
  const child = spawn('/bin/sh', ['-c', KEEPER, 'spark', String(lifeOf), directory, java, ...arguments_], {
    cwd: directory,
    env: { PATH, JAVA_HOME: javaHome, SPARK_HOME: home, SPARK_LOCAL_IP: HOST, SPARK_CONNECT_AUTHENTICATE_TOKEN: token },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const port = await portOf(child);
  return {
    address: { host: HOST, address: HOST, port, tls: false, token },
    pid: child.pid,
    [Symbol.asyncDispose]: async () => {
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.ref();
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Once the server says that it listens; what it says later is read and not kept. */
function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    const last: string[] = [];
    const { stderr } = child;
    if (stderr === null) return;
    createInterface({ input: stderr }).on('line', (line) => {
      last.push(line);
      if (last.length > LAST_LINES) last.shift();
      const [, port] = STARTED.exec(line) ?? [];
      if (port === undefined || !line.includes('Connect')) return;
      // From here on the server must not keep the process that it is for.
      child.unref();
      if ('unref' in stderr && typeof stderr.unref === 'function') stderr.unref();
      resolve(Number(port));
    });
    child.once('error', (cause) => reject(new SourceError('Spark could not be started', { cause })));
    child.once('exit', () => {
      const said = last.filter((line) => /ERROR|Exception|not found|Error/.test(line)).at(-1) ?? last.at(-1) ?? 'it printed nothing';
      reject(new SourceError(`Spark ended before it listened; it needs Java 17 or later: ${said.slice(0, 300)}`));
    });
  });
}
