#!/usr/bin/env node
import { setTimeout as sleep } from 'node:timers/promises';
import { runCommand } from './command-line/commands.ts';

const args = process.argv.slice(2);
const stop = new AbortController();
const { signal } = stop;
if (args[0] === 'listen') {
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
}

process.exitCode = await runCommand(args, {
  env: process.env,
  signal,
  print: (line) => void process.stdout.write(`${line}\n`),
  warn: (line) => void process.stderr.write(`${line}\n`),
  wait: (milliseconds) => sleep(milliseconds, undefined, { signal }),
  async readInput() {
    const chunks: Buffer[] = [];
    for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  },
});
