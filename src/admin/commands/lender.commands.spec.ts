import { Command } from 'commander';
import { expect, it } from 'vitest';
import type { CommandContext } from './command-context.js';
import { addLenderCommands } from './lender.commands.js';

it('a ping, which makes the first key to sign with, is no command that only reads', async () => {
  const lender = { code: 'one', remote: { address: 'https://lender.example/rlp' } };
  const result = { isUnderstood: true, says: 'All is well.', durationMs: 1 };
  const within = () => Promise.resolve({ lender, result });
  const reading = () => Promise.reject(new Error('it only reads'));
  const printed: string[] = [];
  const print = (text: string) => void printed.push(text);
  const program = new Command();
  addLenderCommands(program, { within, reading, print } as unknown as CommandContext);
  await program.parseAsync(['lenders', 'ping', 'one'], { from: 'user' });
  expect(printed).toEqual(['OK: one at https://lender.example/rlp, 1 ms: All is well.']);
});
