import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { commandGiven } from './given-command.js';

/** The recorded form of `admin GROUP VERB [argument]` with its options. */
function noted(argument: string, typed: readonly string[], operator?: string) {
  const program = new Command();
  const verb = program.command('group').command('verb').argument(argument);
  verb.option('--mobile <number>').option('--journey <id>').option('--note <text>');
  program.parse(['group', 'verb', ...typed], { from: 'user' });
  return commandGiven(verb, operator);
}

describe('the audit of a command', () => {
  it.each([
    '9812345678',
    '+91 98123 45678',
    'm9812345678',
    'ABCDE1234F',
    'abcde1234f',
    'Asha-Verma',
    'a@b.example',
  ])('does not have the argument %s, which may be personal', (typed) => {
    expect(noted('<id>', [typed]).parameters).toEqual({ arguments: ['(given)'] });
  });

  it.each([`key_${'0123456789'.repeat(3)}ab`, 'rinpath-20261123-01234567', 'a-partner-2'])(
    'has the id %s',
    (id) => {
      expect(noted('<id>', [id]).parameters).toEqual({ arguments: [id] });
      expect(noted('<file>', [id]).parameters).toEqual({ arguments: ['(given)'] });
    },
  );

  it('has a sentence that is written to be noted, and of options only those that are never personal', () => {
    const journey = `jrn_${'0'.repeat(32)}`;
    const options = ['--mobile', '9812345678', '--journey', journey, '--note', 'of the bank'];
    expect(noted('<sentence>', ['Restored a backup', ...options], ' operator 7 ')).toEqual({
      subjectId: journey,
      command: 'group verb',
      parameters: {
        arguments: ['Restored a backup'],
        mobile: '(given)',
        journey,
        note: 'of the bank',
      },
      givenBy: 'operator 7',
    });
    const answer = `elg_${'0'.repeat(32)}`;
    expect(noted('<id>', ['k', '--journey', answer])).toMatchObject({
      subjectId: answer,
      parameters: { journey: answer },
    });
    expect(noted('<id>', ['k'])).toMatchObject({ subjectId: 'operator' });
    expect(noted('<id>', ['k'], ' ').givenBy).not.toBe('');
  });

  it('has a partner only by an id that it may have', () => {
    const partnerOf = (value: string) => {
      const program = new Command();
      const issue = program.command('keys').command('issue').option('--partner <id>');
      program.parse(['keys', 'issue', '--partner', value], { from: 'user' });
      return commandGiven(issue).parameters.partner;
    };
    expect(partnerOf('acme-2')).toBe('acme-2');
    for (const typed of ['9812345678', 'Asha Verma']) expect(partnerOf(typed)).toBe('(given)');
  });

  it('has the value of an option that is a switch, given or not', () => {
    const program = new Command();
    const issue = program.command('keys').command('issue').option('--unique-references', '', false);
    program.parse(['keys', 'issue'], { from: 'user' });
    expect(commandGiven(issue).parameters).toEqual({ uniqueReferences: false });
  });
});
