import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { eventually } from './eventually.js';
import { leftBehind, processState } from './left-behind.js';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

it('finds nothing where nothing was left', () => {
  expect(leftBehind(processState())).toEqual([]);
});

it('names a server that still listens', async () => {
  const before = processState();
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  expect(leftBehind(before)).toEqual(['there are more of TCPServerWrap than before']);
  server.close();
  await eventually(() => leftBehind(before).length === 0);
});

it('names a process that still runs', async () => {
  const before = processState();
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  const ended = once(child, 'close');
  expect(leftBehind(before)).toEqual(['there are more of ProcessWrap than before']);
  child.kill('SIGKILL');
  await ended;
});

it('names a variable of the environment, and time that is faked', () => {
  const before = processState();
  vi.stubEnv('LEFT_BEHIND', 'yes');
  vi.useFakeTimers();
  expect(leftBehind(before)).toEqual([
    'the environment variable LEFT_BEHIND is another',
    'time is still faked',
  ]);
});
