import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it, vi } from 'vitest';
import { eventually } from './eventually.js';
import { leftBehind, processState } from './left-behind.js';

it('names a server, a process, a variable and faked time that a file leaves behind', async () => {
  const before = processState();
  expect(leftBehind(before)).toEqual([]);
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  const ended = once(child, 'close');
  vi.stubEnv('LEFT_BEHIND', 'yes');
  vi.useFakeTimers();
  expect(leftBehind(before)).toEqual([
    'the environment variable LEFT_BEHIND is another',
    'there are more of TCPServerWrap than before',
    'there are more of ProcessWrap than before',
    'time is still faked',
  ]);
  vi.useRealTimers();
  vi.unstubAllEnvs();
  server.close();
  child.kill('SIGKILL');
  await ended;
  await eventually(() => leftBehind(before).length === 0);
});
