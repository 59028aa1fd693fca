import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { startFlags, startVariables } from './built-service.ts';
import type { Settings } from '../yardsticks/hand-written.ts';

const SOURCE = new URL('../yardsticks/', import.meta.url);
const COMPILED = new URL('../../dist/yardsticks/', import.meta.url);
const READY_MS = 60_000;

export interface Yardstick {
  readonly port: number;
  readonly pid: number;
  stop(): void;
}

/** Starts one of bench/yardsticks as a separate process. */
export async function startYardstick(name: string, settings: Settings): Promise<Yardstick> {
  const child = spawn(process.execPath, [...startFlags(), fileURLToPath(compiled(name))], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: {
      ...startVariables(),
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      YARDSTICK: JSON.stringify(settings),
    },
  });
  const stop = () => child.kill('SIGKILL');
  process.once('exit', stop);
  const [message] = (await once(child, 'message', { signal: AbortSignal.timeout(READY_MS) })) as [
    { port: number },
  ];
  return { port: message.port, pid: child.pid ?? 0, stop };
}

/** Compiled like the service, so that all run the same kind of JavaScript. */
function compiled(name: string): URL {
  mkdirSync(COMPILED, { recursive: true });
  for (const file of [name, 'hand-written', 'new-journey']) {
    const source = readFileSync(new URL(`${file}.ts`, SOURCE), 'utf8');
    const { outputText } = ts.transpileModule(
      source.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"),
      {
        compilerOptions: {
          module: ts.ModuleKind.ESNext,
          target: ts.ScriptTarget.ES2023,
          experimentalDecorators: true,
          emitDecoratorMetadata: true,
          useDefineForClassFields: false,
        },
      },
    );
    writeFileSync(new URL(`${file}.js`, COMPILED), outputText);
  }
  return new URL(`${name}.js`, COMPILED);
}
