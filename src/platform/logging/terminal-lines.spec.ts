import { describe, expect, it } from 'vitest';
import { terminalLine } from './terminal-lines.js';

const TIME = Date.UTC(2026, 0, 31, 10, 20, 30);

describe('a line of the log on a terminal', () => {
  it('says when, how bad, who and what', () => {
    const line = { level: 40, time: TIME, pid: 1, context: 'WebhookSender', msg: 'It is late' };
    expect(terminalLine(JSON.stringify(line))).toBe('10:20:30 warn WebhookSender: It is late\n');
  });

  it('has the stack of an error', () => {
    const line = { level: 50, time: TIME, err: { message: 'no', stack: 'Error: no\n    at x' } };
    expect(terminalLine(JSON.stringify(line))).toBe('10:20:30 ERROR no\nError: no\n    at x\n');
  });

  it('is left as it is when it is none', () => {
    expect(terminalLine('warning: something\n')).toBe('warning: something\n');
  });
});
