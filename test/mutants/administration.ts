import type { Mutant } from './mutant.ts';

const APPLYING = ['test/e2e/admin/configuration.isolated.spec.ts'];
const PLAN = ['src/admin/file-keys-writer.spec.ts'];
const IN_USE = [
  'test/e2e/admin/keys-in-use.spec.ts',
  'test/e2e/admin/command-line.isolated.spec.ts',
];
const BETWEEN_PARTS = ['src/admin/configuration/problems-between-parts.spec.ts'];

const FLAGS = ['test/e2e/operator-flags/one-open-flag.spec.ts'];

/** What the operator’s file and commands may change. */
export const ADMINISTRATION: readonly Mutant[] = [
  {
    id: 'default-channel-is-ignored',
    rule: 'The file’s defaultChannel of a key is in force',
    file: 'src/admin/file-keys-writer.ts',
    find: '        ...terms,\n',
    replace: "        ...terms,\n        defaultChannel: 'API_HEADLESS',\n",
    specs: ['test/e2e/admin/file-in-force.isolated.spec.ts'],
  },
  {
    id: 'default-product-is-ignored',
    rule: 'The file’s defaultProduct of a key is in force',
    file: 'src/admin/file-keys-writer.ts',
    find: '        defaultProduct,\n',
    replace: "        defaultProduct: 'ONLINE_PERSONAL',\n",
    specs: ['test/e2e/admin/file-in-force.isolated.spec.ts'],
  },
  {
    id: 'keys-that-left-the-file-live-on',
    rule: 'A key that left the file is revoked',
    file: 'src/admin/file-keys-writer.ts',
    find: "kept.filter((key) => isGone(key) && key.status !== 'REVOKED')",
    replace: "kept.filter((key) => isGone(key) && key.status === 'SUSPENDED')",
    specs: PLAN,
  },
  {
    id: 'file-revokes-keys-of-commands',
    rule: 'The file touches only its own keys',
    file: 'src/admin/file-keys-writer.ts',
    find: "key.origin === 'FILE' && !givenHashes.has(key.keyHash)",
    replace: '!givenHashes.has(key.keyHash)',
    specs: PLAN,
  },
  {
    id: 'file-lifts-a-suspension-by-command',
    rule: 'A suspension made by command stays until lifted by command',
    file: 'src/admin/file-keys-writer.ts',
    find: "kept.statusOrigin === 'COMMAND' ? kept.status : given.status",
    replace: 'given.status',
    specs: PLAN,
  },
  {
    id: 'older-file-is-applied',
    rule: 'An older version of the file is not applied over a newer one',
    file: 'src/admin/configuration-applier.ts',
    find: 'if (fileVersion < versionInForce) {',
    replace: 'if (fileVersion < versionInForce - 1_000_000) {',
    specs: APPLYING,
  },
  {
    id: 'change-of-a-key-keeps-its-version',
    rule: 'Every change of a key has a new version, by which it is in force at once',
    file: 'src/auth/store/api-keys.repository.ts',
    find: "    version: () => 'version + 1',\n",
    replace: '',
    specs: IN_USE,
  },
  {
    id: 'new-limit-waits',
    rule: 'A new limit is in force from the next call on',
    file: 'src/admin/key-administration.ts',
    find: '{ minuteLimit, dayLimit }',
    replace: '{ minuteLimit }',
    specs: IN_USE,
  },
  {
    id: 'revoked-key-is-resumed',
    rule: 'A revocation is for good',
    file: 'src/admin/key-administration.ts',
    find: "if (key.status === 'REVOKED') throw new Refusal",
    replace: "if (key.status === ('NONE' as string)) throw new Refusal",
    specs: [...IN_USE, 'test/e2e/admin/configuration.isolated.spec.ts'],
  },
  {
    id: 'secret-stored-in-the-clear',
    rule: 'The secret of a key is stored sealed',
    file: 'src/admin/new-api-key.ts',
    find: 'keyring.seal(',
    replace: '((text: string, _: string) => text)(',
    specs: ['test/e2e/admin/configuration.isolated.spec.ts'],
  },
  {
    id: 'lender-that-left-the-file-is-asked',
    rule: 'A lender that left the file is switched off',
    file: 'src/settings/store/replace-by-code.ts',
    find: 'SET is_enabled = false WHERE',
    replace: 'SET is_enabled = true WHERE',
    specs: APPLYING,
  },
  {
    id: 'give-up-before-the-deadline',
    rule: 'Lenders are given up on only after their deadline',
    file: 'src/admin/configuration/settings-section.ts',
    find: 'lenderDeadlineSeconds < lenderGiveUpSeconds',
    replace: 'lenderDeadlineSeconds > 0',
    specs: BETWEEN_PARTS,
  },
  {
    id: 'personal-data-in-a-note',
    rule: 'The note of a flag has no personal data',
    file: 'src/admin/commands/option-readers.ts',
    find: 'if (hasIdentityWord(rest) || maskPersonalData(rest) !== rest) {',
    replace: "if (note === '-') {",
    specs: FLAGS,
  },
  {
    id: 'flag-resolved-twice',
    rule: 'A flag is resolved once: the first note stays',
    file: 'src/operator-flags/store/operator-flags.ts',
    find: '.update({ id, resolvedAt: IsNull() },',
    replace: '.update({ id },',
    specs: FLAGS,
  },
  {
    id: 'open-flags-not-counted',
    rule: 'The gauge counts the open flags of each kind',
    file: 'src/operator-flags/operator-flag-metrics.ts',
    find: 'for (const { kind, count } of counts) this.open.set({ kind }, count);',
    replace: '',
    specs: FLAGS,
  },
  {
    id: 'each-repeated-flag-is-logged',
    rule: 'A flag is logged when it is new, and at each digit of its count',
    file: 'src/operator-flags/store/operator-flags.ts',
    find: 'return before === 0 || String(after).length > String(before).length;',
    replace: 'return after > before;',
    specs: FLAGS,
  },
];
